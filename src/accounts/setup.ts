import { issueApiKey } from '../api-keys/issue-api-key.ts';
import type { Trx } from '../db/database.ts';
import { type Failure, ValidationError } from '../errors.ts';
import { emailMistake } from '../users/create-user.ts';
import { createAccount, nameMistake } from './create-customer.ts';
import { isSubdomainTaken, normalSubdomain, subdomainMistake } from './subdomain.ts';

export interface SetupInput {
  accountName: string;
  subdomain: string;
  userName: string;
  userEmail: string;
}

/**
 * Creates a top-level account with its owner and a first API key. The owner has no password yet.
 * @throws ValidationError with every rule that is broken.
 */
export async function setUpAccount(
  trx: Trx,
  input: SetupInput,
): Promise<{ accountId: number; userId: number; key: string }> {
  const subdomain = normalSubdomain(input.subdomain);
  const values = {
    accountName: input.accountName.trim(),
    subdomain,
    userName: input.userName.trim(),
    userEmail: input.userEmail.trim(),
  };
  const mistakes: Array<[string, string | undefined]> = [
    ['account_name', nameMistake(values.accountName)],
    [
      'account_subdomain',
      subdomainMistake(subdomain) ?? ((await isSubdomainTaken(trx, subdomain)) ? 'has already been taken' : undefined),
    ],
    ['user_name', nameMistake(values.userName)],
    ['user_email', emailMistake(values.userEmail)],
  ];
  const failures = mistakes.filter((entry): entry is [string, string] => entry[1] !== undefined) satisfies Failure[];
  if (failures.length > 0) throw new ValidationError(failures);

  const { id, userId } = await createAccount(trx, {
    ...values,
    parentId: null,
    planId: null,
    editor: 'wysiwyg_format',
    passwordHash: null,
  });
  const { key } = await issueApiKey(trx, id, { userId, name: 'First key', expiresAt: null });
  return { accountId: id, userId, key };
}

/** Whether the installation is still empty. */
export async function hasNoAccounts(trx: Trx): Promise<boolean> {
  return (await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}
