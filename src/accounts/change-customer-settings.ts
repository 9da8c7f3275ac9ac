import type { Addresses } from '../addresses.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';
import { getAccount } from './account.ts';
import { getCustomer } from './change-customer.ts';
import { changeSettings } from './change-settings.ts';
import { changeSubdomain } from './change-subdomain.ts';
import { checkNotDeleted } from './customer-change.ts';
import { normalSubdomain } from './subdomain.ts';

interface ChangeCustomerSettingsInput {
  customerId: number;
  /** `undefined` leaves the field unchanged. */
  name: string | undefined;
  subdomain: string | undefined;
}

/**
 * Changes a customer's name or subdomain, by the rules for its own users. The customer's log names the seller, and not the
 * seller's users.
 * @throws AppError `not_found`; `conflict` if the customer is deleted; ValidationError
 */
export async function changeCustomerSettings(
  trx: Trx,
  accountId: number,
  { customerId, ...given }: ChangeCustomerSettingsInput,
  addresses: Addresses,
  by: Actor,
): Promise<void> {
  // Takes the stronger lock of a subdomain change at once: upgrading a weaker lock later could deadlock.
  await lockWholeAccount(trx, customerId);
  const customer = await getCustomer(trx, accountId, customerId);
  checkNotDeleted(customer);
  const name = given.name?.trim() === customer.name ? undefined : given.name;
  const subdomain =
    given.subdomain !== undefined && normalSubdomain(given.subdomain) === customer.subdomain
      ? undefined
      : given.subdomain;
  if (name === undefined && subdomain === undefined) return;
  const seller = await getAccount(trx, accountId);
  const actor: Actor = { userId: null, name: by.userId === null ? by.name : seller.name, ip: null };
  const failures = await failuresOf(async () => {
    if (name !== undefined) await changeSettings(trx, customerId, { name }, actor);
  });
  // Comes last: a statement that PostgreSQL refuses ends the transaction.
  const subdomainFailures = await failuresOf(async () => {
    if (subdomain !== undefined) await changeSubdomain(trx, customerId, subdomain, addresses, actor);
  });
  if (failures.length + subdomainFailures.length > 0) throw new ValidationError([...failures, ...subdomainFailures]);
  const fields = [...(name === undefined ? [] : ['name']), ...(subdomain === undefined ? [] : ['subdomain'])];
  const details = { name: customer.name, fields };
  await recordAuditEvent(trx, accountId, by, {
    action: 'customer.changed',
    subject: `customer_${customerId}`,
    details,
  });
}

async function failuresOf(work: () => Promise<void>) {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.fields;
    throw error;
  }
}
