import type { Db } from '../db/database.ts';
import { isThere } from './customer.ts';

/** Returns whether the account has customers. Those that are deleted and can be restored count. */
export async function hasCustomers(db: Db, accountId: number): Promise<boolean> {
  const customers = db.selectFrom('accounts').select('id').where('parent_id', '=', accountId).limit(1);
  for (const some of [customers.where(isThere), customers.where('deletes_at', 'is not', null)]) {
    if (await some.executeTakeFirst()) return true;
  }
  return false;
}
