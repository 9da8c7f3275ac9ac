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

/** Adds a user, whose values have been checked, to the account and returns the id. */
export async function createUser(trx: Trx, accountId: number, input: CreateUserInput): Promise<number> {
  const [id] = await createUsers(trx, [{ ...input, accountId }]);
  return id!;
}

/** Adds users, whose values have been checked, to any accounts. Returns their ids in order. */
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

/** Addresses that differ in case only are one person's. */
export function emailKey(email: string): string {
  return normalForm(email, 'NFC').toLowerCase();
}

/** Returns the rule that a mail address breaks; undefined if none. */
export function validateEmail(email: string): BrokenRule | undefined {
  if (email === '') return { code: 'blank' };
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const right =
    at > 0 &&
    email.length <= 254 &&
    local.length <= 64 &&
    !UNSEEN.test(email) &&
    // No quoted local parts, comments, lists or line breaks: only what people have as addresses, and nothing that could
    // be parsed as two.
    /^[^\s@<>()[\]\\,;:"]+$/u.test(local) &&
    /^([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(domain);
  return right ? undefined : { code: 'not_a_mail_address' };
}

/**
 * Control and format characters (those that turn the direction of writing are among them), halves of surrogate pairs,
 * private and unassigned characters, and whatever else is drawn as nothing: with one of them, an address looks like
 * somebody else's. U+2800 is the braille pattern without dots.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;
