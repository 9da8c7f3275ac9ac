import type { Trx } from '../db/database.ts';
import { preparedInsert } from '../db/prepared.ts';
import type { UsersTable } from '../db/schema.ts';

export interface CreateUserInput {
  name: string;
  email: string;
  role: UsersTable['role'];
  passwordHash: string | null;
}

/** Adds a user, whose values have been checked, to the account and returns the id. */
export function createUser(trx: Trx, accountId: number, input: CreateUserInput): Promise<number> {
  return insert(trx, {
    account_id: accountId,
    name: input.name,
    email: input.email,
    email_key: emailKey(input.email),
    role: input.role,
    password_hash: input.passwordHash,
    created_at: Date.now(),
  });
}

const insert = preparedInsert('users', [
  'account_id',
  'name',
  'email',
  'email_key',
  'role',
  'password_hash',
  'created_at',
]);

/** Addresses that differ in case only are one person's. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** What is wrong with a mail address, as the end of a sentence; undefined when nothing is. */
export function emailMistake(email: string): string | undefined {
  if (email === '') return "can't be blank";
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const right =
    at > 0 &&
    email.length <= 254 &&
    local.length <= 64 &&
    // No quoted local parts, comments, lists or line breaks: what a person has for an address, nothing that could be
    // read as two of them.
    /^[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(local) &&
    /^([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(domain);
  return right ? undefined : 'is not a mail address';
}
