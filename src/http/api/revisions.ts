import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { partWithNext } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError, notFound } from '../../errors.ts';
import { formatPageId, parsePageId } from '../../pages/page.ts';
import { restoreRevision } from '../../pages/restore-revision.ts';
import { countRevisionAndPageBytes, getRevision, listRevisions, type Revision } from '../../pages/revisions.ts';
import { missing, wrongParameter } from './answers.ts';
import { changing } from './changing.ts';
import { idInPath } from './ids.ts';
import { idSchema, objectSchema, ref, textSchema } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { changeOperation, readOperation } from './operation.ts';
import { pageProperties, timeSchema } from './page-schema.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';
import { pageTime } from './times.ts';

const limits = { otherwise: 50, max: 200 };

const revisionProperties = {
  id: idSchema('revision', 'Identifier of the revision.'),
  name: textSchema('Name of the page at that time.', 'Opening hours'),
  published_at: timeSchema('When the page got these contents, in UTC.'),
  published_by: textSchema('Name of the user who wrote them.', 'Olivia Owner'),
};

const noRevision = missing('The account has no revision with this id.', 'The revision does not exist.');

export const listRevisionsOperation = readOperation('GET /api/pages/{id}/revisions.json', {
  id: 'listRevisions',
  tag: 'Pages',
  scope: 'pages:read',
  summary: 'List the revisions of a page',
  description:
    'The earlier contents of a page, newest first, in parts. Revisions are kept for 90 days, and the latest 200 in any case.',
  queryParameters: {
    ...partParameters('before', '17', limits),
  },
  answers: [
    { status: 200, schema: 'RevisionList', description: 'The revisions.' },
    wrongParameter('"limit" must be from 1 to 200.'),
    missing('The account has no page with this id.', 'The page does not exist.'),
  ],
  schemas: {
    RevisionList: objectSchema({
      revisions: { type: 'array', items: ref('Revision'), description: 'Newest first.' },
      next: nextSchema('before'),
    }),
    Revision: objectSchema(revisionProperties),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db }, id: text }) => {
    const id = parsePageId(text);
    if (!id) throw notFound('The page');
    const limit = readLimit(ctx.query, limits);
    const input = { pageId: id, before: readBefore(ctx.query), limit: limit + 1 };
    const found = await snapshot(db, (trx) => listRevisions(trx, accountId, input));
    const { shown, next } = partWithNext(found, limit, ({ version }) => String(version));
    return { revisions: shown.map(revisionJson), next };
  }),
});

export const getRevisionOperation = readOperation('GET /api/revisions/{id}.json', {
  id: 'getRevision',
  tag: 'Revisions',
  scope: 'pages:read',
  summary: 'Read a revision',
  description: 'Earlier contents of a page.',
  answers: [{ status: 200, schema: 'RevisionAnswer', description: 'The revision.' }, noRevision],
  schemas: {
    RevisionAnswer: objectSchema({ revision: ref('WholeRevision') }),
    WholeRevision: objectSchema({
      ...revisionProperties,
      page_id: pageProperties.id!,
      urlname: pageProperties.urlname!,
      body: pageProperties.body!,
      description: pageProperties.description!,
      body_format: pageProperties.body_format!,
    }),
  },
  countTexts,
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db }, id: text }) => {
    const id = idIn(text);
    const revision = await snapshot(db, (trx) => getRevision(trx, accountId, id));
    const { urlname, body, description, bodyFormat } = revision;
    const contents = { urlname, body, description, body_format: bodyFormat };
    const whole = { ...revisionJson(revision), page_id: formatPageId(revision.pageId), ...contents };
    return { revision: whole };
  }),
});

export const restoreRevisionOperation = changeOperation('POST /api/revisions/{id}/restore.json', {
  id: 'restoreRevision',
  tag: 'Revisions',
  scope: 'pages:write',
  summary: 'Restore a revision',
  description:
    "Restores the contents of the revision: text, format, description, and the name if no other page has it by now. The page's present contents become a revision too.",
  answers: [{ status: 200, schema: 'Success', description: 'The contents were restored.' }, noRevision],
  fingerprintName: 'restore revision',
  countTexts,
  prepare: async ({ keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idIn(text);
    return changing(keyOwner, ctx, (trx, by) =>
      restoreRevision(trx, keyOwner.accountId, { id, basedOn: undefined, quota: config.pageQuota }, by),
    );
  },
});

function revisionJson({ id, name, at, by }: Revision) {
  return { id: `revision_${id}`, name, published_at: pageTime(at), published_by: by };
}

function idIn(text: string): number {
  return idInPath('revision', text);
}

function countTexts(db: Db, { accountId }: KeyOwner, text: string): Promise<number> {
  return countRevisionAndPageBytes(db, accountId, idIn(text));
}

function readBefore(query: string): number | undefined {
  const text = oneValue(query, 'before');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new AppError('malformed', '"before" must be "next" of the previous part.');
  return Number(text);
}
