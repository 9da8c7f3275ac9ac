import type { Db, Trx } from '../db/database.ts';

/** The account's users, oldest first: the first is the one it was created with. */
export function listUsers(db: Db | Trx, accountId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'email_key', 'role'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}
