import type { Db } from '../db/database.ts';

/** Returns the name of the account that sells this one; null for a top-level account. */
export async function findSellerName(db: Db, accountId: number): Promise<string | null> {
  const seller = await db
    .selectFrom('accounts')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select('sellers.name')
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return seller?.name ?? null;
}
