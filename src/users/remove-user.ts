import { type Selectable, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { recordRemoval } from '../removals/removals.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkNotLastOwner } from './change-user.ts';
import { endSessions } from './end-sessions.ts';
import { getUser, type UserRow } from './get-user.ts';
import { voidLinks } from './one-time-links.ts';
import { checkMayGive, type Role } from './roles.ts';

/**
 * Removes a user from the account, and ends their sessions, links, passkeys and second factor. Their name stays in the
 * history, and their address can be invited again. The removal can be undone for 10 minutes. Returns the user as before.
 * @throws AppError `not_found`, `forbidden`; `conflict` for the last owner.
 */
export async function removeUser(
  trx: Trx,
  accountId: number,
  { userId, by }: { userId: number; by: { userId: number; role: Role } },
): Promise<UserRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const user = await getUser(trx, accountId, userId);
  checkMayGive(by.role, user.role);
  await checkNotLastOwner(trx, user);
  await trx
    .updateTable('users')
    // No mail address has this form, so the user's address becomes free.
    .set({ removed_at: Date.now(), password_hash: null, email_key: `removed ${userId}` })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  // Deletes passkeys first: a concurrent sign-in with a passkey either commits before, and its session is ended here, or
  // comes later and fails.
  const passkeys = await deleteUserData(trx, 'passkeys', user);
  await endSessions(trx, accountId, userId);
  await voidLinks(trx, accountId, userId);
  const recoveryCodes = await deleteUserData(trx, 'recovery_codes', user);
  const secondFactors = await deleteUserData(trx, 'second_factors', user);
  const payload = { passwordHash: user.password_hash, passkeys, secondFactors, recoveryCodes };
  await recordRemoval(trx, accountId, { kind: 'user', subjectId: userId, userId: by.userId, payload });
  return user;
}

/**
 * Deletes and returns the user's rows of the table. Deleted credentials cannot sign anybody in, even if a query forgets to
 * check `removed_at`.
 */
async function deleteUserData<T extends 'passkeys' | 'recovery_codes' | 'second_factors'>(
  trx: Trx,
  table: T,
  { account_id, id }: UserRow,
): Promise<Selectable<Schema[T]>[]> {
  const { rows } = await sql<Selectable<Schema[T]>>`
    delete from ${sql.table(table)} where account_id = ${account_id} and user_id = ${id} returning *`.execute(trx);
  return rows;
}
