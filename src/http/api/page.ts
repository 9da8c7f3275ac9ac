import { LRUCache } from 'lru-cache';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { changePage } from '../../pages/change-page.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { getListedPage } from '../../pages/get-listed-page.ts';
import { countPageBytes } from '../../pages/page-bytes.ts';
import { restoreFromTrash } from '../../pages/restore-from-trash.ts';
import { undoLastChange } from '../../pages/undo-last-change.ts';
import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import { badRequest, missing, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { idInPath } from './ids.ts';
import { readIfMatch } from './if-match.ts';
import { objectSchema, ref } from './json-schema.ts';
import { changeOperation, type OperationHandler, readOperation } from './operation.ts';
import { pageChanges, parsePageChange } from './page-changes.ts';
import { pageFields } from './page-json.ts';
import { pageProperties } from './page-schema.ts';

const noPage = missing('The account has no page with this id.', 'The page does not exist.');

const outdated = {
  status: 412,
  schema: 'Failure',
  description: '`If-Match` names an earlier state of the page, and nothing was changed.',
  example: { response: false, errors: 'Olivia Owner has changed the page in the meantime.' },
} as const;

const reusedKey = refused('The `Idempotency-Key` was used for a different request.', [
  ['idempotency_key', 'has already been used for a different request'],
]);

export const getPageOperation = readOperation('GET /api/pages/{id}.json', {
  id: 'getPage',
  tag: 'Pages',
  scope: 'pages:read',
  summary: 'Read a page',
  description: 'One page with the fields that it has in the list, except its sub-pages, and whether it is published.',
  answers: [{ status: 200, schema: 'PageAnswer', description: 'The page.' }, noPage],
  schemas: {
    PageAnswer: objectSchema({ page: ref('SinglePage') }),
    SinglePage: objectSchema({
      ...pageProperties,
      is_published: { type: 'boolean', description: 'Whether visitors see the page.', examples: [true] },
    }),
  },
  countTexts,
  handler: ({ db, config }) => pageHandler(db, config.cacheBytes),
});

/** Returns the handler. It caches pages until the content of their account changes. */
function pageHandler(db: Db, cacheBytes: number): OperationHandler {
  const cache = new LRUCache<string, { version: number; content: Content; bytes: number }>({
    maxSize: Math.max(cacheBytes / 4, 1024 * 1024),
    // A page may be held in three forms: plain, gzip and brotli.
    sizeCalculation: ({ bytes }) => 1000 + Math.ceil(bytes * 1.5),
  });
  const make = async (accountId: number, id: number, key: string): Promise<Content> => {
    const found = await snapshot(db, async (trx) => getListedPage(trx, accountId, id));
    const { page, path, position, version, isPublished, userNames } = found;
    const fields = pageFields(page, { url: path, position }, userNames);
    const bytes = Buffer.from(`{"page":${fields},"is_published":${isPublished}}}`);
    const content = new Content(bytes, jsonHeaders, `W/"${version}-${etagOf(bytes).slice(3)}`);
    cache.set(key, { version: found.contentVersion, content, bytes: bytes.length });
    return content;
  };
  return (ctx, { accountId, contentVersion }, text) => {
    const id = idIn(text);
    const key = `${accountId}/${id}`;
    const found = cache.get(key);
    if (found && found.version >= contentVersion) return found.content.answer(ctx);
    return make(accountId, id, key).then((content) => content.answer(ctx));
  };
}

export const changePageOperation = changeOperation('PATCH /api/pages/{id}.json', {
  id: 'changePage',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Change a page',
  description:
    'Changes the fields that are sent, and moves the page if `parent_id` or `position` is sent. Former contents are kept as a revision, and former URLs redirect. With `If-Match`, nothing is changed if the page has changed since.',
  input: pageChanges,
  exampleFields: ['body', 'position'],
  isConditional: true,
  answers: [
    { status: 200, schema: 'Success', description: 'The page has the requested values.' },
    badRequest('The fields are incorrectly formatted, as when a page is created.', 'Invalid format'),
    noPage,
    outdated,
    refused('Validation failed, and nothing was changed.', [['parent_id', 'does not exist']]),
  ],
  malformedMessage: 'Invalid format',
  fingerprintName: 'change page',
  countTexts,
  prepare: async ({ fields: texts, keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idIn(text);
    const change = parsePageChange(texts);
    const basedOn = readIfMatch(ctx, 'page');
    return changing(keyOwner, ctx, (trx, by) =>
      changePage(trx, keyOwner.accountId, { id, basedOn, quota: config.pageQuota, ...change }, by),
    );
  },
});

export const deletePageOperation = changeOperation('DELETE /api/pages/{id}.json', {
  id: 'deletePage',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Delete a page',
  description: 'Moves the page with all of its sub-pages to the trash, where it can be restored for 30 days.',
  isConditional: true,
  answers: [
    { status: 200, schema: 'Success', description: 'The page was moved to the trash.' },
    noPage,
    outdated,
    reusedKey,
  ],
  fingerprintName: 'delete page',
  prepare: async ({ keyOwner, ctx, id: text }) => {
    const id = idIn(text);
    const basedOn = readIfMatch(ctx, 'page');
    return changing(keyOwner, ctx, (trx, by) => deletePage(trx, keyOwner.accountId, id, by, basedOn));
  },
});

export const restorePageOperation = changeOperation('POST /api/pages/{id}/restore.json', {
  id: 'restorePage',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Restore a deleted page',
  description:
    'Takes the page out of the trash, with the sub-pages that were deleted with it, to its former place or as near as possible. Names and URLs that other pages have by now get a number.',
  answers: [
    { status: 200, schema: 'Success', description: 'The page was restored.' },
    {
      ...noPage,
      description: 'The page is not in the trash: it was not deleted, or was deleted more than 30 days ago.',
      example: { response: false, errors: 'The page is not in the trash.' },
    },
    refused('The plan does not allow that many pages, and nothing was changed.', [['plan', 'allows at most 10 pages']]),
  ],
  fingerprintName: 'restore page',
  prepare: changingById('page', restoreFromTrash),
});

export const undoPageChangeOperation = changeOperation('POST /api/pages/{id}/undo.json', {
  id: 'undoPageChange',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Undo the last change of a page',
  description:
    'Undoes the latest change of the page within the last 30 days, no matter who made it: a change of its contents, place or visibility, or its deletion. Sent again, it undoes the previous change. With `If-Match`, nothing is changed if the page has changed since.',
  isConditional: true,
  answers: [
    { status: 200, schema: 'Success', description: 'The change was undone.' },
    {
      ...noPage,
      description: 'The account has no page with this id, or the page has no change that can be undone.',
      example: { response: false, errors: 'The page does not exist, or has no change that can be undone.' },
    },
    outdated,
    refused(
      'A later change prevents it, or the plan does not allow that many pages. Nothing was changed.',
      'This can no longer be undone, because it has been changed since.',
    ),
  ],
  fingerprintName: 'undo page change',
  countTexts,
  prepare: async ({ keyOwner, ctx, dependencies: { config }, id: text }) => {
    const input = { pageId: idIn(text), basedOn: readIfMatch(ctx, 'page'), quota: config.pageQuota };
    return changing(keyOwner, ctx, (trx, by) => undoLastChange(trx, keyOwner.accountId, input, by));
  },
});

function idIn(text: string): number {
  return idInPath('page', text);
}

function countTexts(db: Db, { accountId }: KeyOwner, text: string): Promise<number> {
  return countPageBytes(db, accountId, { id: idIn(text), userId: 0 });
}
