import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { type PasswordOwner, validateGuessability } from './guessable-password.ts';
import { voidLinks } from './one-time-links.ts';
import { validatePassword } from './password.ts';

/**
 * Checks a password that a person has chosen.
 * @throws ValidationError when it breaks a rule, would be guessed, or was not entered twice the same.
 */
export async function checkNewPassword(
  { password, confirmation }: { password: string; confirmation: string },
  owner: PasswordOwner,
): Promise<void> {
  const failures: FieldError[] = [];
  const problem = validatePassword(password) ?? (await validateGuessability(password, owner));
  if (problem) failures.push({ field: 'password', ...problem });
  if (password !== confirmation) failures.push({ field: 'confirmation', code: 'mismatch' });
  if (failures.length > 0) throw new ValidationError(failures);
}

/**
 * Sets the user's password and voids their links for a new one. `byMailedLink` tells that the user followed a link mailed to
 * their address, which proves that the person who knows this password owns the address.
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
