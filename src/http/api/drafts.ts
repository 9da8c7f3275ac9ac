import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { discardDraft, getDraft, type PageWithDraft, updateDraft } from '../../pages/drafts.ts';
import { formatPageId } from '../../pages/page.ts';
import { countPageBytes } from '../../pages/page-bytes.ts';
import { publishPage } from '../../pages/publish-page.ts';
import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import { malformed, missing, refused } from './answers.ts';
import { changing } from './changing.ts';
import { idInPath } from './ids.ts';
import { readIfMatch } from './if-match.ts';
import { objectSchema, ref } from './json-schema.ts';
import { changeOperation, type ObjectSchema, readOperation } from './operation.ts';
import { pageChanges, parsePageChange } from './page-changes.ts';
import { pageProperties, timeSchema } from './page-schema.ts';
import { pageTime } from './times.ts';

const noDraft = missing('The account has no such page, or your user has no draft of it.', 'The draft does not exist.');

const outdated = {
  status: 412,
  schema: 'Failure',
  description: '`If-Match` names an earlier state of the draft, and nothing was changed.',
  example: { response: false, errors: 'The draft of this page has changed in the meantime.' },
} as const;

const { is_published: _, parent_id: __, position: ___, ...draftFields } = pageChanges.fields;

const input: ObjectSchema<keyof typeof draftFields> = { object: 'page', name: 'DraftChanges', fields: draftFields };

const shared = {
  tag: 'Pages',
  scope: 'pages:write',
  isConditional: true,
  malformedMessage: 'Invalid format',
  countTexts,
} as const;

export const getDraftOperation = readOperation('GET /api/pages/{id}/draft.json', {
  id: 'getDraft',
  tag: 'Pages',
  scope: 'pages:read',
  summary: 'Read the draft of a page',
  description:
    "The draft of the page by the key's user: what visitors will see once it is published. Fields that the draft does not change have the values of the page.",
  answers: [{ status: 200, schema: 'DraftAnswer', description: 'The draft.' }, noDraft],
  schemas: {
    DraftAnswer: objectSchema({ draft: ref('Draft') }),
    Draft: objectSchema({
      page_id: pageProperties.id!,
      ...Object.fromEntries(Object.keys(draftFields).map((field) => [field, pageProperties[field]!])),
      updated_at: timeSchema('When the draft was last saved, in UTC.'),
      is_outdated: {
        type: 'boolean',
        description: 'Whether the page has changed since the draft was started.',
        examples: [false],
      },
    }),
  },
  countTexts,
  handler:
    ({ db }) =>
    async (ctx, { accountId, userId }, text) => {
      const id = idInPath('page', text);
      const found = await snapshot(db, (trx) => getDraft(trx, accountId, { id, userId }));
      const bytes = Buffer.from(JSON.stringify({ draft: draftJson(found) }));
      const etag = `W/"${found.draft.updatedAt}-${etagOf(bytes).slice(3)}`;
      return new Content(bytes, jsonHeaders, etag).answer(ctx);
    },
});

export const changeDraftOperation = changeOperation('PATCH /api/pages/{id}/draft.json', {
  ...shared,
  id: 'changeDraft',
  summary: 'Write a draft of a page',
  description:
    "Saves the fields that are sent in the draft of the key's user, and starts a draft if there is none. Visitors do not see the draft until it is published. The admin app shows it to the user.",
  input,
  exampleFields: ['body'],
  answers: [
    { status: 200, schema: 'Success', description: 'The draft was saved.' },
    malformed,
    missing('The account has no page with this id.', 'The page does not exist.'),
    outdated,
    refused('Validation failed, and nothing was changed.', [['custom_date', 'is not a date']]),
  ],
  fingerprintName: 'change draft',
  prepare: async ({ fields: texts, keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('page', text);
    const { fields } = parsePageChange(texts);
    const draftAt = readIfMatch(ctx, 'draft');
    return changing(keyOwner, ctx, (trx, { userId }) =>
      updateDraft(trx, keyOwner.accountId, { id, userId, fields, draftAt, quota: config.pageQuota }),
    );
  },
});

export const discardDraftOperation = changeOperation('DELETE /api/pages/{id}/draft.json', {
  ...shared,
  id: 'discardDraft',
  summary: 'Discard the draft of a page',
  description: "Deletes the draft of the key's user. The page stays as visitors see it.",
  answers: [{ status: 200, schema: 'Success', description: 'The draft was discarded.' }, noDraft, outdated],
  fingerprintName: 'discard draft',
  prepare: async ({ keyOwner, ctx, id: text }) => {
    const id = idInPath('page', text);
    const draftAt = readIfMatch(ctx, 'draft');
    return changing(keyOwner, ctx, async (trx, { userId }) => {
      const { draft } = await getDraft(trx, keyOwner.accountId, { id, userId });
      await discardDraft(trx, keyOwner.accountId, { id, userId, draftAt: draftAt ?? draft.updatedAt });
    });
  },
});

export const publishPageOperation = changeOperation('POST /api/pages/{id}/publish.json', {
  ...shared,
  id: 'publishPage',
  summary: 'Publish a page',
  description:
    "Publishes the draft of the key's user: visitors see the page with its contents. A page that is not published needs no draft. If the page has changed since the draft was started, nothing is published, unless `If-Match` is the current `ETag` of the page.",
  answers: [
    { status: 200, schema: 'Success', description: 'Visitors see the page with these contents.' },
    missing(
      'The account has no such page, or there is nothing to publish.',
      'The page is already published, and has no draft.',
    ),
    {
      ...outdated,
      description: 'The page has changed in the meantime, and nothing was published.',
      example: { response: false, errors: 'Olivia Owner has changed the page in the meantime.' },
    },
    refused('Validation failed, and the draft was kept.', [['name', 'has already been taken']]),
  ],
  fingerprintName: 'publish page',
  prepare: async ({ keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('page', text);
    const basedOn = readIfMatch(ctx, 'page');
    const input = { id, basedOn, fields: undefined, draftAt: null, quota: config.pageQuota };
    return changing(keyOwner, ctx, (trx, by) => publishPage(trx, keyOwner.accountId, input, by));
  },
});

function draftJson({ page, draft, isOutdated }: PageWithDraft) {
  return {
    page_id: formatPageId(page.id),
    name: page.name,
    urlname: page.urlname,
    body: page.body,
    body_format: page.bodyFormat,
    description: page.description,
    is_hidden: page.isHidden,
    custom_date: pageTime(page.customDate),
    updated_at: pageTime(draft.updatedAt),
    is_outdated: isOutdated,
  };
}

function countTexts(db: Db, { accountId, userId }: KeyOwner, text: string): Promise<number> {
  return countPageBytes(db, accountId, { id: idInPath('page', text), userId });
}
