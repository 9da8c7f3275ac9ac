import type { Db } from '../db/database.ts';

/** Returns how many active customers the account has. They are counted where they change, so there is little to add up. */
export async function countActiveCustomers(db: Db, accountId: number): Promise<number> {
  const { total } = await db
    .selectFrom('plans')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('active_customers'), e.lit(0)).as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return total;
}
