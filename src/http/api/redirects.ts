import { partWithNext } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError, ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { formatPageId, parsePageId } from '../../pages/page.ts';
import { addRedirect, listRedirects, type RedirectCursor, removeRedirect } from '../../pages/page-redirects.ts';
import { readRedirectPath } from '../../sites/redirect-path.ts';
import { malformed, missing, refused, wrongParameter } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { objectSchema, ref, textOrNull, textSchema } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import {
  changeOperation,
  type FieldTexts,
  type ObjectSchema,
  readOperation,
  textField,
  textOrNumberField,
} from './operation.ts';
import { pageProperties } from './page-schema.ts';
import { oneValue, readId, wrongId } from './query-parameters.ts';
import { reading } from './reading.ts';

const shared = {
  tag: 'Redirects',
  scope: 'pages:write',
} as const;

const input: ObjectSchema<'path' | 'page_id'> = {
  object: 'redirect',
  name: 'NewRedirect',
  fields: {
    path: textField(
      'The path on the site. Include the query if the former website told pages apart by it, as in `/index.php?page=3`. Letters of all scripts may be percent-encoded.',
      '/about-us.html',
      { required: true },
    ),
    page_id: textOrNumberField('Id of the page to which the path leads, even after the page moves.', 'page_12', {
      required: true,
    }),
  },
};

export const addRedirectOperation = changeOperation('POST /api/redirects.json', {
  ...shared,
  id: 'addRedirect',
  summary: 'Add a redirect',
  description:
    'Adds a permanent redirect from a path of the site to a page. The redirect follows the page when it moves. A page at the path takes precedence, unless the path has a query. `former_page_id` is the page to which the path led until now.',
  input,
  idPrefix: 'redirect_',
  answerOf: (result) => {
    const { formerPageId: former } = result as Awaited<ReturnType<typeof addRedirect>>;
    return { former_page_id: former === undefined ? null : formatPageId(former) };
  },
  answers: [
    { status: 200, schema: 'RedirectAdded', description: 'The redirect was added.' },
    malformed,
    refused('Validation failed, or there are already 100,000 redirects. Nothing was added.', [
      ['path', 'is not a path like /old-page'],
      ['page_id', 'does not exist'],
    ]),
  ],
  schemas: {
    RedirectAdded: objectSchema(
      {
        response: { const: true },
        errors: { type: 'array', maxItems: 0, description: 'Always empty.' },
        former_page_id: textOrNull('Id of the other page to which the path led until now; null if there was none.'),
      },
      { id: textSchema('Id of the redirect, if requested with `Prefer`.', 'redirect_12') },
    ),
  },
  fingerprintName: 'add redirect',
  prepare: async ({ fields: texts, keyOwner, ctx }) => {
    const redirect = parseRedirect(texts);
    return changing(keyOwner, ctx, (trx, by) => addRedirect(trx, keyOwner.accountId, redirect, by));
  },
});

export const listRedirectsOperation = readOperation('GET /api/redirects.json', {
  id: 'listRedirects',
  tag: 'Redirects',
  scope: 'pages:read',
  summary: 'List redirects',
  description:
    'The paths that redirect to pages: former URLs of pages that were moved, renamed or deleted, and paths that were added. Sorted by page, in parts.',
  queryParameters: {
    page_id: textSchema('Only redirects to this page.', 'page_12'),
    ...partParameters('after', '12-34'),
  },
  answers: [
    { status: 200, schema: 'RedirectList', description: 'The redirects.' },
    wrongParameter(wrongId('page_id', 'page')),
  ],
  schemas: {
    RedirectList: objectSchema({
      redirects: { type: 'array', items: ref('Redirect'), description: 'Sorted by page.' },
      next: nextSchema('after'),
    }),
    Redirect: objectSchema({
      id: textSchema('Identifier of the redirect.', 'redirect_12'),
      path: textSchema('The path on the site.', '/about-us.html'),
      page_id: pageProperties.id!,
      url: textOrNull('Current path of the page; null if the page is in the trash.', '/about-us'),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const limit = readLimit(ctx.query);
    const asked = { pageId: readId(ctx.query, 'page_id', 'page'), after: readAfter(ctx.query), limit: limit + 1 };
    const found = await snapshot(db, (trx) => listRedirects(trx, accountId, asked));
    const { shown, next } = partWithNext(found, limit, (last) => `${last.pageId}-${last.id}`);
    const redirects = shown.map(({ id, path, pageId: page, to = null }) => {
      return { id: `redirect_${id}`, path, page_id: formatPageId(page), url: to };
    });
    return { redirects, next };
  }),
});

export const removeRedirectOperation = changeOperation('DELETE /api/redirects/{id}.json', {
  ...shared,
  id: 'removeRedirect',
  summary: 'Remove a redirect',
  description:
    'Removes the redirect. If the path led to another page before, it leads there again; otherwise it leads nowhere.',
  answers: [
    { status: 200, schema: 'Success', description: 'The redirect was removed.' },
    missing('The account has no redirect with this id.', 'The redirect does not exist.'),
  ],
  fingerprintName: 'remove redirect',
  prepare: changingById('redirect', removeRedirect),
});

/** @throws ValidationError with every field that is invalid by itself */
function parseRedirect({ path: text = '', page_id: id = '' }: FieldTexts<keyof typeof input.fields>) {
  const path = readRedirectPath(text);
  const page = parsePageId(id);
  const wrong: FieldError[] = [];
  if (typeof path !== 'string') wrong.push({ field: 'path', ...path });
  if (!page) wrong.push({ field: 'page_id', code: id.trim() === '' ? 'blank' : 'missing' });
  if (typeof path !== 'string' || !page) throw new ValidationError(wrong);
  return { path, pageId: page };
}

function readAfter(query: string): RedirectCursor | undefined {
  const text = oneValue(query, 'after');
  if (text === undefined) return undefined;
  const [, page, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (page !== undefined) return { pageId: Number(page), id: Number(id) };
  throw new AppError('malformed', '"after" must be "next" of the previous part.');
}
