import type { CustomerRow } from '../accounts/change-customer.ts';
import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { getAgencyAccess } from './agency-access.ts';

/**
 * Checks that the agency may act in its customer's account.
 * @throws Refusal when the customer is deleted or suspended, or forbids it
 */
export async function checkAgencyAccess(trx: Trx, { id, name, status, deletes_at }: CustomerRow): Promise<void> {
  if (deletes_at !== null) throw new Refusal('conflict', { reason: 'customer_deleted' });
  if (status === 'suspended') throw new Refusal('conflict', { reason: 'customer_suspended' });
  const { isAllowed } = await getAgencyAccess(trx, id);
  if (!isAllowed) throw new Refusal('conflict', { reason: 'impersonation_forbidden', params: { customer: name } });
}
