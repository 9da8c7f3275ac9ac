import type { Db, Trx } from '../db/database.ts';

/** True if the operator has created the account. Any other account may have been created by anyone. */
export async function isTopLevel(db: Db | Trx, accountId: number): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('parent_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return account.parent_id === null;
}
