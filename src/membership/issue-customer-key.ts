import { getCustomer } from '../accounts/change-customer.ts';
import type { IssueApiKeyInput } from '../api-keys/issue-api-key.ts';
import { grantScopes, type StoredScopes } from '../api-keys/scopes.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { agentName, upsertActingUser } from '../impersonations/acting-user.ts';
import { checkAgencyAccess } from '../impersonations/check-agency-access.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { getUser } from '../users/get-user.ts';
import { checkKeyCount } from './check-key-count.ts';
import { issueKey } from './issue-key.ts';

interface IssueCustomerKeyInput extends Omit<IssueApiKeyInput, 'userId' | 'agency'> {
  customerId: number;
  /** The scopes of the key that issues it. */
  granter: StoredScopes;
}

/**
 * Issues a key of a customer's account to the account that sells it. It acts in the name of the customer's first owner, and
 * histories have it as "Ana (Acme Agency) as Bob". Both logs have it. It works only while the customer allows its agency to act in its
 * account, the user to whom it was issued may issue keys, and the agency is not suspended (`agencyMayUse`).
 * @throws AppError `not_found`; Refusal when the customer is deleted or suspended, forbids it, or has too many keys; ValidationError
 */
export async function issueCustomerKey(
  trx: Trx,
  accountId: number,
  { customerId, granter, ...input }: IssueCustomerKeyInput,
  by: UserActor,
): Promise<{ id: number; key: string }> {
  await lockAccount(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  await lockAccount(trx, customerId);
  await checkAgencyAccess(trx, customer);
  await checkKeyCount(trx, customerId);
  const agent = await agentName(trx, accountId, by.name);
  const owner = await getUser(trx, customerId, await firstOwner(trx, customerId));
  const userId = await upsertActingUser(trx, owner, { agentId: by.userId, agent });
  const agency = { id: accountId, userId: by.userId };
  const scopes = grantScopes({ wanted: input.scopes ?? null, granter, isForAgency: true });
  const inCustomer = { userId: null, name: agent, ip: by.ip };
  const issued = await issueKey(trx, customerId, { ...input, userId, agency, scopes }, inCustomer);
  await recordAuditEvent(trx, accountId, by, {
    action: 'customer.key_issued',
    subject: `customer_${customerId}`,
    details: { name: customer.name, key: `key_${issued.id}` },
  });
  return issued;
}

async function firstOwner(trx: Trx, accountId: number): Promise<number> {
  const { id } = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
