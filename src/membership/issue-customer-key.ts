import type { IssueApiKeyInput } from '../api-keys/issue-api-key.ts';
import { grantScopes, type StoredScopes } from '../api-keys/scopes.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { actInCustomer } from './act-in-customer.ts';
import { checkKeyCount } from './check-key-count.ts';
import { issueKey } from './issue-key.ts';

interface IssueCustomerKeyInput extends Omit<IssueApiKeyInput, 'userId' | 'agency' | 'issuedBy'> {
  customerId: number;
  /** The scopes of the issuing key. */
  granter: StoredScopes;
}

/**
 * Issues a key of a customer's account to the selling account. The key acts in the name of the customer's first owner, and
 * histories show it as "Ana (Acme Agency) as Bob". Both logs record it. It works only while the customer allows its agency
 * access, the user to whom it was issued may issue keys, and the agency is not suspended (`agencyMayUse`).
 * @throws AppError `not_found`; Refusal when the customer is deleted or suspended, forbids it, or has too many keys;
 * ValidationError
 */
export async function issueCustomerKey(
  trx: Trx,
  accountId: number,
  { customerId, granter, ...input }: IssueCustomerKeyInput,
  by: UserActor,
): Promise<{ id: number; key: string }> {
  const { customer, userId, agency, inCustomer } = await actInCustomer(trx, accountId, customerId, by);
  await checkKeyCount(trx, customerId);
  const scopes = grantScopes({ wanted: input.scopes ?? null, granter, isForAgency: true });
  const issued = await issueKey(trx, customerId, { ...input, userId, agency, scopes, issuedBy: by.keyId }, inCustomer);
  await recordAuditEvent(trx, accountId, by, {
    action: 'customer.key_issued',
    subject: `customer_${customerId}`,
    details: { name: customer.name, key: `key_${issued.id}` },
  });
  return issued;
}
