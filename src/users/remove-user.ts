import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../pages/content-version.ts';
import { checkNotLastOwner } from './change-user.ts';
import { endSessions } from './end-sessions.ts';
import { getUser, type UserRow } from './get-user.ts';
import { voidLinks } from './one-time-links.ts';
import { removePasskeysOf } from './passkeys/remove-passkey.ts';
import { checkMayGive, type Role } from './roles.ts';
import { removeSecondFactor } from './second-factor.ts';

/**
 * Takes a user from the account: their sessions, links and passkeys end with it. What they did keeps their name; their address may
 * be invited anew. Returns the user as it was.
 * @throws AppError `not_found`, `forbidden`; `conflict` for the last owner.
 */
export async function removeUser(trx: Trx, accountId: number, userId: number, byRole: Role): Promise<UserRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const user = await getUser(trx, accountId, userId);
  checkMayGive(byRole, user.role);
  await checkNotLastOwner(trx, user);
  await trx
    .updateTable('users')
    // No address looks like this.
    .set({ removed_at: Date.now(), password_hash: null, email_key: `removed ${userId}` })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  // First: whoever is signing in with one comes before this and has their session ended, or after it and gets none.
  await removePasskeysOf(trx, accountId, userId);
  await endSessions(trx, accountId, userId);
  await voidLinks(trx, accountId, userId);
  await removeSecondFactor(trx, accountId, userId);
  return user;
}
