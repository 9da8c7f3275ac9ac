import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { takeRemoval } from '../removals/removals.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { emailKey } from './create-user.ts';
import { getUser, type UserRow } from './get-user.ts';
import { checkMayGive, type Role } from './roles.ts';

/**
 * Restores a removed user with their password, second factor and passkeys. They have to sign in again: their earlier
 * sessions and mailed links stay void. Returns the user.
 * @throws AppError `not_found`, `forbidden`; `conflict` when it is too late, or another user has taken the address;
 * LimitReached
 */
export async function restoreUser(trx: Trx, accountId: number, userId: number, byRole: Role): Promise<UserRow> {
  await raiseContentVersion(trx, accountId, Date.now());
  const removal = await takeRemoval(trx, accountId, 'user', userId);
  const removed = await trx
    .selectFrom('users')
    .select(['email', 'role'])
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!removed) throw notFound('The user');
  checkMayGive(byRole, removed.role);
  await checkPlanLimit(trx, accountId, 'people');
  try {
    await trx
      .updateTable('users')
      .set({ removed_at: null, password_hash: removal.passwordHash, email_key: emailKey(removed.email) })
      .where('account_id', '=', accountId)
      .where('id', '=', userId)
      .execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'users_email') throw error;
    throw new Refusal('conflict', { reason: 'mail_address_taken_since' });
  }
  if (removal.secondFactors.length > 0) await trx.insertInto('second_factors').values(removal.secondFactors).execute();
  if (removal.recoveryCodes.length > 0) await trx.insertInto('recovery_codes').values(removal.recoveryCodes).execute();
  if (removal.passkeys.length > 0) {
    // The passkey may have been registered again since, for example by the same person on another site.
    const unlessTaken = trx
      .insertInto('passkeys')
      .onConflict((conflict) => conflict.column('credential_id').doNothing());
    await unlessTaken.values(removal.passkeys).execute();
  }
  return getUser(trx, accountId, userId);
}
