import { sql } from 'kysely';
import { shownName } from '../audit/shown-name.ts';
import type { Trx } from '../db/database.ts';
import type { Timestamp } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { bytesIn, deleteTexts, reserveBytes } from './page-bytes.ts';
import { PageConflict } from './page-conflict.ts';
import { checkPage, getPageDetails } from './page-details.ts';
import type { PageFields, SomePageFields } from './page-fields.ts';
import { imagesIn, replaceImages } from './page-images.ts';
import { isUnchangedSince } from './revisions.ts';

/** A user's unpublished contents of a page. */
export interface Draft {
  fields: SomePageFields;
  /** The version of the page that the draft is based on. */
  basedOn: number;
  updatedAt: Timestamp;
}

interface DraftKey {
  id: number;
  userId: number;
}

/** A page with a user's draft of it. */
export interface PageWithDraft {
  /** The page's fields with the draft's values in place of the published ones. */
  page: PageFields & { id: number };
  draft: Draft;
  /** True if the page's contents have changed since the draft was begun. */
  isOutdated: boolean;
}

/** The state of the draft that the user has seen. */
interface SeenDraft {
  /** The `updatedAt` of the draft that the user has seen; null if the user has seen none. */
  draftAt: Timestamp | null;
}

/**
 * Saves the user's draft of the page in place of the draft that the user has seen. The page is neither changed nor checked:
 * a draft may be half a sentence.
 * @throws LimitReached; AppError `not_found` if there is no such page; PageConflict if another device or browser tab of the
 * user has saved a draft meanwhile, which is then kept
 */
export async function saveDraft(
  trx: Trx,
  accountId: number,
  {
    id,
    userId,
    fields,
    basedOn,
    draftAt,
    quota,
  }: DraftKey & SeenDraft & Pick<Draft, 'fields' | 'basedOn'> & { quota: number },
): Promise<Draft> {
  await lockAccount(trx, accountId);
  await checkPage(trx, accountId, id);
  const before = await countDraftBytes(trx, accountId, { id, userId });
  const now = Date.now();
  const draft = { based_on: basedOn, updated_at: now, fields: JSON.stringify(fields) };
  // The time identifies the draft, so it must grow even if the clock goes back.
  const later = sql<number>`case when drafts.updated_at < ${now} then ${now} else drafts.updated_at + 1 end`;
  const saved = await trx
    .insertInto('drafts')
    .values({ account_id: accountId, page_id: id, user_id: userId, ...draft })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'page_id', 'user_id'])
        .doUpdateSet({ ...draft, updated_at: later })
        .where('drafts.updated_at', '=', draftAt ?? 0),
    )
    .returning('updated_at as updatedAt')
    .executeTakeFirst();
  if (!saved) throw await draftConflict(trx, accountId, id);
  await reserveBytes(trx, accountId, { bytes: Buffer.byteLength(draft.fields) - before, quota });
  await replaceImages(trx, accountId, { pageId: id, draftBy: userId }, imagesIn(draft.fields));
  return { fields, basedOn, ...saved };
}

/**
 * Sets fields of the user's draft of the page, and begins a draft if there is none. `draftAt` is the `updatedAt` of the draft
 * that the user has seen; undefined to change the draft whatever its state. `basedOn` is the version of the page that the user
 * has seen: the draft is based on it from now on.
 * @throws the errors of `saveDraft`
 */
export async function updateDraft(
  trx: Trx,
  accountId: number,
  {
    id,
    userId,
    fields,
    draftAt,
    basedOn,
    quota,
  }: DraftKey & Pick<Draft, 'fields'> & { draftAt: Timestamp | undefined; basedOn?: number; quota: number },
): Promise<Draft> {
  const { version } = await getPageDetails(trx, accountId, id);
  const draft = await findDraft(trx, accountId, { id, userId });
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const updatedAt = draft?.updatedAt ?? null;
  if (draftAt !== undefined && draftAt !== updatedAt) throw await draftConflict(trx, accountId, id);
  return saveDraft(trx, accountId, {
    id,
    userId,
    fields: { ...draft?.fields, ...sent },
    basedOn: basedOn ?? draft?.basedOn ?? version,
    draftAt: updatedAt,
    quota,
  });
}

/** @throws AppError `not_found` if there is no such page, or the user has no draft of it */
export async function getDraft(trx: Trx, accountId: number, { id, userId }: DraftKey): Promise<PageWithDraft> {
  const page = await getPageDetails(trx, accountId, id);
  const draft = await findDraft(trx, accountId, { id, userId });
  if (!draft) throw notFound('The draft');
  const isOutdated = !(await isUnchangedSince(trx, accountId, page, draft.basedOn));
  return { page: { ...page, ...(draft.fields as Partial<PageFields>) }, draft, isOutdated };
}

async function countDraftBytes(trx: Trx, accountId: number, { id, userId }: DraftKey): Promise<number> {
  const draft = await trx
    .selectFrom('drafts')
    .select(bytesIn.drafts.as('bytes'))
    .where('account_id', '=', accountId)
    .where('page_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return draft?.bytes ?? 0;
}

/**
 * Deletes the draft that the user has seen. Having no draft is no error.
 * @throws AppError `not_found` if there is no such page; PageConflict if the user has saved another draft meanwhile
 */
export async function discardDraft(
  trx: Trx,
  accountId: number,
  { id, userId, draftAt }: DraftKey & SeenDraft,
): Promise<void> {
  await checkPage(trx, accountId, id);
  await deleteDraft(trx, accountId, { id, userId, draftAt });
  if (await findDraft(trx, accountId, { id, userId })) throw await draftConflict(trx, accountId, id);
}

/** Like `discardDraft`, but ignores a newer draft. */
export async function deleteDraft(
  trx: Trx,
  accountId: number,
  { id, userId, draftAt }: DraftKey & SeenDraft,
): Promise<void> {
  const where = sql`page_id = ${id} and user_id = ${userId} and updated_at = ${draftAt ?? 0}`;
  const deleted = await deleteTexts(trx, accountId, { table: 'drafts', where });
  if (deleted > 0) await replaceImages(trx, accountId, { pageId: id, draftBy: userId }, []);
}

async function draftConflict(trx: Trx, accountId: number, id: number): Promise<PageConflict> {
  const page = await getPageDetails(trx, accountId, id);
  return new PageConflict(page, 'The draft of this page has changed in the meantime.');
}

/** Returns the user's draft of the page, if there is one. */
export async function findDraft(trx: Trx, accountId: number, { id, userId }: DraftKey): Promise<Draft | undefined> {
  const row = await trx
    .selectFrom('drafts')
    .select(['fields', 'based_on as basedOn', 'updated_at as updatedAt'])
    .where('account_id', '=', accountId)
    .where('page_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { ...row, fields: JSON.parse(row.fields) as SomePageFields };
}

/** Returns the ids of those pages whose draft by this user equals the published contents. */
export async function listDraftsEqualToPage(
  trx: Trx,
  accountId: number,
  { userId, ids }: { userId: number; ids: readonly number[] },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('drafts')
    .innerJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'drafts.account_id').onRef('pages.id', '=', 'drafts.page_id'),
    )
    .select([
      'pages.id',
      'pages.name',
      'pages.urlname',
      'pages.is_hidden as isHidden',
      'pages.description',
      'pages.custom_date as customDate',
      'pages.body',
      'pages.body_format as bodyFormat',
      'drafts.fields',
    ])
    .where('drafts.account_id', '=', accountId)
    .where('drafts.user_id', '=', userId)
    .where('drafts.page_id', 'in', ids)
    .execute();
  const isEqual = ({ fields, ...page }: (typeof rows)[number]) => {
    const published: PageFields = { ...page, isHidden: page.isHidden === 1 };
    return Object.entries(JSON.parse(fields)).every(([name, value]) => value === published[name as keyof PageFields]);
  };
  return rows.filter(isEqual).map(({ id }) => id);
}

/** Lists the other users who have a draft of the page, the latest draft first. */
export function listOtherDrafts(
  trx: Trx,
  accountId: number,
  { id, userId }: DraftKey,
): Promise<{ by: string; updatedAt: Timestamp }[]> {
  return trx
    .selectFrom('drafts')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'drafts.account_id').onRef('users.id', '=', 'drafts.user_id'),
    )
    .select([shownName('users').as('by'), 'drafts.updated_at as updatedAt'])
    .where('drafts.account_id', '=', accountId)
    .where('drafts.page_id', '=', id)
    .where('drafts.user_id', '!=', userId)
    .where((e) => e.or([e('users.removed_at', 'is', null), e('users.acts_for', 'is not', null)]))
    .orderBy('drafts.updated_at', 'desc')
    .orderBy('drafts.user_id')
    .execute();
}
