import type { Db } from '../db/database.ts';
import { isThere } from './customer.ts';

export async function hasCustomers(db: Db, accountId: number): Promise<boolean> {
  const customers = db.selectFrom('accounts').select('id').where('parent_id', '=', accountId).where(isThere).limit(1);
  return (await customers.executeTakeFirst()) !== undefined;
}
