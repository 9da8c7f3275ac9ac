import { type Actor, type NamedAuditEvent, recordAuditEvents, service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';

export interface CustomerEvent {
  customerId: number;
  /**
   * The second part of the actions: `suspended` becomes `customer.suspended` for the seller, and `account.suspended` for the
   * customer.
   */
  change:
    | ('suspended' | 'restored' | 'instructions_sent' | 'deletion_started' | 'deletion_undone')
    | ('plan_changed' | 'trial_ended' | 'plan_change_scheduled' | 'plan_change_cancelled');
  details: { readonly name: string; readonly [detail: string]: string };
}

/**
 * Records a change of a customer in the seller's log, with the actor, and in the customer's own log. The customer's log
 * names the seller or the operator, but not the seller's users or addresses. Changes by the service itself count as the
 * seller's.
 */
export function recordCustomerEvent(
  trx: Trx,
  seller: { id: number; name: string },
  event: CustomerEvent,
  by: Actor,
): Promise<void> {
  return recordAuditEvents(trx, customerEvents(seller, event, by));
}

/** Returns the two events of a change, for changes that are recorded together. */
export function customerEvents(
  seller: { id: number; name: string },
  { customerId, change, details }: CustomerEvent,
  by: Actor,
): NamedAuditEvent[] {
  const name = by.userId === null && by !== service ? by.name : seller.name;
  const own = { action: `account.${change}`, subject: `account_${customerId}`, details };
  return [
    {
      accountId: seller.id,
      actor: by,
      event: { action: `customer.${change}`, subject: `customer_${customerId}`, details },
    },
    { accountId: customerId, actor: { userId: null, name, ip: null }, event: own },
  ];
}
