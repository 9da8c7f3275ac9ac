import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';

const MAX_LISTED = 200;

/** Returns the account's deleted customers that can be restored, the next to be deleted for good first. */
export function listDeletedCustomers(db: Db, accountId: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'subdomain', 'deletes_at'])
    .where('parent_id', '=', accountId)
    .where('deletes_at', 'is not', null)
    .orderBy('parent_id')
    .orderBy('deletes_at')
    .limit(limitInIndexOrder(MAX_LISTED))
    .execute();
}
