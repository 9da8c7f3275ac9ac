import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { UsersTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';

export type UserRow = Selectable<UsersTable>;

/**
 * Returns a user of the account.
 * @throws AppError `not_found` when there is no user with this id or the user was removed
 */
export async function getUser(db: Db | Trx, accountId: number, userId: number): Promise<UserRow> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!user) throw notFound('The user');
  return user;
}
