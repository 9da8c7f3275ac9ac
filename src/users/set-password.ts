import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { type PasswordOwner, validateGuessability } from './guessable-password.ts';
import { voidLinks } from './one-time-links.ts';
import { validatePassword } from './password.ts';

/** A user who chooses a password, with the names of their account. */
export interface UserOfAccount extends Omit<PasswordOwner, 'hosts'> {
  accountId: number;
  subdomain: string;
}

/**
 * Checks a password that a person has chosen.
 * @throws ValidationError when it breaks a rule, would be guessed, or differs from its confirmation, if there is one.
 */
export async function checkNewPassword(
  db: Db,
  user: UserOfAccount,
  { password, confirmation = password, sitesDomain }: { password: string; confirmation?: string; sitesDomain: string },
): Promise<void> {
  const failures: FieldError[] = [];
  const hosts = await findHosts(db, user, sitesDomain);
  const problem = validatePassword(password) ?? (await validateGuessability(password, { ...user, hosts }));
  if (problem) failures.push({ field: 'password', ...problem });
  if (password !== confirmation) failures.push({ field: 'confirmation', code: 'mismatch' });
  if (failures.length > 0) throw new ValidationError(failures);
}

async function findHosts(db: Db, { accountId, subdomain }: UserOfAccount, sitesDomain: string): Promise<string[]> {
  const domains = await db
    .selectFrom('domains')
    .select('host')
    .where('account_id', '=', accountId)
    .where('verified_at', 'is not', null)
    .execute();
  return [`${subdomain}.${sitesDomain.replace(/:\d+$/, '')}`, ...domains.map(({ host }) => host)];
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
