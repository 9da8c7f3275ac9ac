import type { Db } from '../db/database.ts';

export async function hasCustomers(db: Db, accountId: number): Promise<boolean> {
  const customers = db
    .selectFrom('accounts')
    .select('id')
    .where('parent_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .limit(1);
  return (await customers.executeTakeFirst()) !== undefined;
}
