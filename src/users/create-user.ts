import type { Trx } from '../db/database.ts';
import { preparedInsertManyForIds } from '../db/prepared-rows.ts';
import type { UsersTable } from '../db/schema.ts';
import type { BrokenRule } from '../field-error.ts';
import { normalForm } from '../normal-form.ts';

interface CreateUserInput {
  name: string;
  email: string;
  role: UsersTable['role'];
  passwordHash: string | null;
}

/** Adds a user with already validated values to the account, and returns the id. */
export async function createUser(trx: Trx, accountId: number, input: CreateUserInput): Promise<number> {
  const [id] = await createUsers(trx, [{ ...input, accountId }]);
  return id!;
}

/** Adds users with already validated values to any accounts. Returns their ids in order. */
export function createUsers(
  trx: Trx,
  users: ReadonlyArray<CreateUserInput & { accountId: number }>,
): Promise<number[]> {
  const now = Date.now();
  const rows = users.map(({ accountId, name, email, role, passwordHash }) => ({
    account_id: accountId,
    name,
    email,
    email_key: emailKey(email),
    role,
    password_hash: passwordHash,
    created_at: now,
  }));
  return insert(trx, rows);
}

const insert = preparedInsertManyForIds('users', {
  account_id: 'bigint',
  name: 'text',
  email: 'text',
  email_key: 'text',
  role: 'text',
  password_hash: 'text',
  created_at: 'bigint',
});

/** Returns the form in which addresses are compared: addresses that differ only in case belong to one person. */
export function emailKey(email: string): string {
  return normalForm(email, 'NFC').toLowerCase();
}

/** Returns the rule that a mail address breaks; undefined if none. */
export function validateEmail(email: string): BrokenRule | undefined {
  if (email === '') return { code: 'blank' };
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const isValid =
    at > 0 &&
    email.length <= 254 &&
    local.length <= 64 &&
    !UNSEEN.test(email) &&
    // Accepts only what people have as addresses, and nothing that could be parsed as two addresses: no quoted local parts,
    // comments, lists or line breaks.
    /^[^\s@<>()[\]\\,;:"]+$/u.test(local) &&
    /^([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(domain);
  return isValid ? undefined : { code: 'not_a_mail_address' };
}

/**
 * The characters with which an address could pass for another person's, since they are invisible or change its look. These
 * are control and format characters (including those that change the writing direction), lone surrogates, private-use and
 * unassigned characters, and others that are drawn as nothing. U+2800 is the braille pattern without dots.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;
