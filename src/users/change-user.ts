import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { validateLabel } from '../name.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { getUser, type UserRow } from './get-user.ts';
import { checkMayGive, type Role, roleOf, roles } from './roles.ts';
import { setName } from './set-name.ts';

interface ChangeUserInput {
  /** `undefined` leaves the field unchanged. */
  name?: string | undefined;
  role?: string | undefined;
}

/**
 * Changes a user's name or role, and returns the user as before. Raises the account's content version first: this lock keeps
 * two owners who demote each other at the same time from both succeeding. The list of pages shows names, too.
 * @throws AppError `not_found`, `forbidden`, `conflict`; ValidationError
 */
export async function changeUser(
  trx: Trx,
  accountId: number,
  userId: number,
  input: ChangeUserInput,
  byRole: Role,
): Promise<UserRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const user = await getUser(trx, accountId, userId);
  checkMayGive(byRole, user.role);
  const name = input.name?.trim();
  // A program may have set a name that this form refuses: the name may stay while other fields change.
  const problem = name === undefined || name === user.name ? undefined : validateLabel(name);
  if (problem) throw new ValidationError([{ field: 'name', ...problem }]);
  const role = input.role === undefined ? user.role : roleOf(input.role);
  if (!role) throw new ValidationError([{ field: 'role', code: 'not_one_of', params: { values: roles } }]);
  checkMayGive(byRole, role);
  if (role !== 'owner') await checkNotLastOwner(trx, user);
  await trx.updateTable('users').set({ role }).where('account_id', '=', accountId).where('id', '=', userId).execute();
  if (name !== undefined) await setName(trx, accountId, userId, name);
  return user;
}

/**
 * Checks that the account keeps an owner if this user loses the role.
 * @throws AppError `conflict` for the last owner
 */
export async function checkNotLastOwner(trx: Trx, user: UserRow): Promise<void> {
  if (user.role !== 'owner') return;
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', user.account_id)
    .where('role', '=', 'owner')
    .where('id', '!=', user.id)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new Refusal('conflict', { reason: 'last_owner', params: { name: user.name } });
}
