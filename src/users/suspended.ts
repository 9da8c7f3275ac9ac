import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { Refusal } from '../refusal.ts';

/** Returns the error for requests to a suspended account. It names the seller who suspended the account, and the reason. */
export async function suspended(db: Db | Trx, accountId: number): Promise<AppError> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select(['accounts.suspension_reason as because', 'accounts.deletes_at as until', 'sellers.name as by'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  if (!account) return new AppError('suspended', 'Account suspended.');
  const { by, because, until } = account;
  return until === null
    ? new Refusal('suspended', { reason: 'suspended_by', params: { by, because } })
    : new Refusal('suspended', { reason: 'deleted_by', params: { by, until } });
}
