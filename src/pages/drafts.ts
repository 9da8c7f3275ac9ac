import type { Trx } from '../db/database.ts';
import type { Timestamp } from '../db/schema.ts';
import { checkPage } from './page-details.ts';
import type { SomePageFields } from './page-fields.ts';

/** What a user has written of a page and not published. */
export interface Draft {
  fields: SomePageFields;
  /** The version of the page that it began with. */
  basedOn: number;
  updatedAt: Timestamp;
}

interface Whose {
  id: number;
  userId: number;
}

/**
 * Keeps what the user has written of the page, in place of what they had before. Nothing of the page is changed, nor
 * checked: a draft may be half a sentence.
 * @throws AppError `not_found` for a page that is not there.
 */
export async function saveDraft(
  trx: Trx,
  accountId: number,
  { id, userId, fields, basedOn }: Whose & Pick<Draft, 'fields' | 'basedOn'>,
): Promise<Draft> {
  const updatedAt = Date.now();
  await checkPage(trx, accountId, id);
  const draft = { based_on: basedOn, updated_at: updatedAt, fields: JSON.stringify(fields) };
  await trx
    .insertInto('drafts')
    .values({ account_id: accountId, page_id: id, user_id: userId, ...draft })
    .onConflict((conflict) => conflict.columns(['account_id', 'page_id', 'user_id']).doUpdateSet(draft))
    .execute();
  return { fields, basedOn, updatedAt };
}

/** Throws the user's draft of the page away; returns whether there was one. */
export async function discardDraft(trx: Trx, accountId: number, { id, userId }: Whose): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('drafts')
    .where('account_id', '=', accountId)
    .where('page_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The user's draft of the page. */
export async function findDraft(trx: Trx, accountId: number, { id, userId }: Whose): Promise<Draft | undefined> {
  const row = await trx
    .selectFrom('drafts')
    .select(['fields', 'based_on as basedOn', 'updated_at as updatedAt'])
    .where('account_id', '=', accountId)
    .where('page_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { ...row, fields: JSON.parse(row.fields) as SomePageFields };
}

/** Who else is writing: the names of other users with a draft of the page, the latest first. */
export function listOtherDrafts(
  trx: Trx,
  accountId: number,
  { id, userId }: Whose,
): Promise<{ by: string; updatedAt: Timestamp }[]> {
  return trx
    .selectFrom('drafts')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'drafts.account_id').onRef('users.id', '=', 'drafts.user_id'),
    )
    .select(['users.name as by', 'drafts.updated_at as updatedAt'])
    .where('drafts.account_id', '=', accountId)
    .where('drafts.page_id', '=', id)
    .where('drafts.user_id', '!=', userId)
    .where('users.removed_at', 'is', null)
    .orderBy('drafts.updated_at', 'desc')
    .orderBy('drafts.user_id')
    .execute();
}
