import type { Db, Trx } from '../db/database.ts';

/** Tells whether the operator has set the account up. All others may have been created by anybody. */
export async function isTopLevel(db: Db | Trx, accountId: number): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('parent_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return account.parent_id === null;
}
