import type { Addresses } from '../addresses.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { type AccountValues, checkAccountValues, createAccount } from './create-account.ts';

/**
 * Creates a top-level account for the operator, with its owner and a first API key. The owner has no password yet.
 * @throws ValidationError with every broken rule.
 */
export async function setUpAccount(
  trx: Trx,
  input: AccountValues,
  addresses: Addresses,
): Promise<{ accountId: number; userId: number; key: string }> {
  const { values, failures } = await checkAccountValues(trx, input);
  if (failures.length > 0) throw new ValidationError(failures);

  const top = { parentId: null, planId: null, editor: 'wysiwyg_format', language: 'en', passwordHash: null } as const;
  const { id, userId } = await createAccount(trx, { ...values, ...top }, addresses);
  const { key } = await issueApiKey(trx, id, { userId, name: 'First key', expiresAt: null });
  const event = { action: 'account.created', subject: `account_${id}`, details: { name: values.accountName } };
  await recordAuditEvent(trx, id, operator, event);
  return { accountId: id, userId, key };
}

/** Returns true if the installation has no accounts yet. */
export async function hasNoAccounts(trx: Trx): Promise<boolean> {
  return (await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}
