import type { Db } from '../db/database.ts';

/** Returns the number of the account's active customers. It sums the counts of the plans, which each change updates. */
export async function countActiveCustomers(db: Db, accountId: number): Promise<number> {
  const { total } = await db
    .selectFrom('plans')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('active_customers'), e.lit(0)).as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return total;
}
