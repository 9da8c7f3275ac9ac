import { type CustomerRow, getCustomer } from '../accounts/change-customer.ts';
import type { Actor, UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { agentName, upsertActingUser } from '../impersonations/acting-user.ts';
import { checkAgencyAccess } from '../impersonations/check-agency-access.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findOwner } from '../users/find-owner.ts';
import { getUser } from '../users/get-user.ts';

interface ActingInCustomer {
  customer: CustomerRow;
  /** The user row of the customer under which the agency's user acts. */
  userId: number;
  agency: { id: number; userId: number };
  /** The actor as named in the customer's log. */
  inCustomer: Actor;
}

/**
 * Locks both accounts, and returns how the agency's user acts in the customer's account: on behalf of its first owner.
 * @throws AppError `not_found`; Refusal when the customer is deleted or suspended, or forbids it
 */
export async function actInCustomer(
  trx: Trx,
  accountId: number,
  customerId: number,
  by: UserActor,
): Promise<ActingInCustomer> {
  await lockAccount(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  await lockAccount(trx, customerId);
  await checkAgencyAccess(trx, customer);
  const agent = await agentName(trx, accountId, by.name);
  const owner = await getUser(trx, customerId, await findOwner(trx, customerId));
  return {
    customer,
    userId: await upsertActingUser(trx, owner, { agentId: by.userId, agent }),
    agency: { id: accountId, userId: by.userId },
    inCustomer: { userId: null, name: agent, ip: by.ip },
  };
}
