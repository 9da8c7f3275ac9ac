import type { Db, Trx } from '../db/database.ts';

/** Returns the id of the account's oldest owner. An account always has at least one. */
export async function findOwner(db: Db | Trx, accountId: number): Promise<number> {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
