import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { type PasswordOwner, validateGuessability } from './guessable-password.ts';
import { voidLinks } from './one-time-links.ts';
import { validatePassword } from './password.ts';

/** A user who chooses a password, with the names of their account. */
interface UserOfAccount extends Omit<PasswordOwner, 'hosts'> {
  accountId: number;
  subdomain: string;
}

/** Returns the user with the names of their account. */
export function findUserOfAccount(
  db: Db,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<UserOfAccount> {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.account_id as accountId',
      'users.name as userName',
      'users.email',
      'accounts.name as accountName',
      'accounts.subdomain',
    ])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}

interface NewPassword {
  password: string;
  /** The repeated password, if the form asks for it twice. */
  confirmation?: string;
  /** `host[:port]` of the sites. */
  sitesDomain: string;
}

/**
 * Checks a password that a person has chosen.
 * @throws ValidationError when the password breaks a rule, is easy to guess, or differs from its confirmation.
 */
export async function checkNewPassword(db: Db, user: UserOfAccount, input: NewPassword): Promise<void> {
  const failures = await validateNewPassword(db, user, input);
  if (failures.length > 0) throw new ValidationError(failures);
}

/** Returns the problems of a password that a person has chosen. */
export async function validateNewPassword(
  db: Db,
  user: UserOfAccount,
  { password, confirmation = password, sitesDomain }: NewPassword,
): Promise<FieldError[]> {
  const failures: FieldError[] = [];
  const hosts = await findHosts(db, user, sitesDomain);
  const problem = validatePassword(password) ?? (await validateGuessability(password, { ...user, hosts }));
  if (problem) failures.push({ field: 'password', ...problem });
  if (password !== confirmation) failures.push({ field: 'confirmation', code: 'mismatch' });
  return failures;
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
 * Sets the user's password and voids all of their links. `byMailedLink` is true if the user followed a link mailed to their
 * address. This proves that the person who knows the new password owns the address.
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
