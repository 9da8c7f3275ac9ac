import type { Db } from '../db/database.ts';
import { isNotDeleted } from './customer.ts';

/** Returns true if the account has customers, including deleted ones that can be restored. */
export async function hasCustomers(db: Db, accountId: number): Promise<boolean> {
  const customers = db.selectFrom('accounts').select('id').where('parent_id', '=', accountId).limit(1);
  for (const query of [customers.where(isNotDeleted), customers.where('deletes_at', 'is not', null)]) {
    if (await query.executeTakeFirst()) return true;
  }
  return false;
}
