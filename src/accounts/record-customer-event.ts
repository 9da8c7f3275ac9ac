import { type Actor, recordAuditEvent, service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';

interface CustomerEvent {
  customerId: number;
  /** The second word of the actions: `suspended` is `customer.suspended` for the seller, `account.suspended` for the customer. */
  change:
    | ('suspended' | 'restored' | 'instructions_sent' | 'deletion_started' | 'deletion_undone')
    | ('plan_changed' | 'trial_ended' | 'plan_change_scheduled' | 'plan_change_cancelled');
  details: { readonly name: string; readonly [detail: string]: string };
}

/**
 * Records a change of a customer in the seller's log, with the actor, and in the customer's own log. That one names the
 * seller or the operator, but not the seller's users or addresses. What the service does, it does as the seller wished.
 */
export async function recordCustomerEvent(
  trx: Trx,
  seller: { id: number; name: string },
  { customerId, change, details }: CustomerEvent,
  by: Actor,
): Promise<void> {
  const event = { action: `customer.${change}`, subject: `customer_${customerId}`, details };
  await recordAuditEvent(trx, seller.id, by, event);
  const own = { action: `account.${change}`, subject: `account_${customerId}`, details };
  const name = by.userId === null && by !== service ? by.name : seller.name;
  await recordAuditEvent(trx, customerId, { userId: null, name, ip: null }, own);
}
