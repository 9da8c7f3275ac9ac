import type { Trx } from '../db/database.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { voidLinks } from './one-time-links.ts';
import { passwordMistake } from './password.ts';

/** @throws ValidationError when the password breaks a rule, or was not entered twice the same. */
export function checkNewPassword(password: string, confirmation: string): void {
  const failures: Failure[] = [];
  const mistake = passwordMistake(password);
  if (mistake) failures.push(['password', mistake]);
  if (password !== confirmation) failures.push(['confirmation', "doesn't match"]);
  if (failures.length > 0) throw new ValidationError(failures);
}

/**
 * Gives the user the password, and makes every link void that was to lead to one. `byMailedLink` says that a link mailed to
 * their address was followed: whoever knows this password owns the address.
 */
export async function setPassword(
  trx: Trx,
  accountId: number,
  userId: number,
  { passwordHash, byMailedLink }: { passwordHash: string; byMailedLink: boolean },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: passwordHash, ...(byMailedLink && { address_proved_at: Date.now() }) })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await voidLinks(trx, accountId, userId);
}
