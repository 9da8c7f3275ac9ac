import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';

interface ImpersonationEvent {
  agencyId: number;
  customer: { id: number; name: string };
  person: { id: number; name: string };
  /** The actor as named in each log. */
  actors: { inAgency: Actor; inCustomer: Actor };
  change: 'started' | 'ended';
  reason: string;
  /**
   * For a start: the time at which the impersonation expires, in milliseconds since 1970. An expiry has no event of its own.
   */
  until?: number;
}

/** Records the start or the end of an impersonation in the logs of both accounts. */
export async function recordImpersonation(trx: Trx, event: ImpersonationEvent): Promise<void> {
  const { agencyId, customer, person, actors, change, reason, until } = event;
  await recordAuditEvent(trx, agencyId, actors.inAgency, {
    action: `customer.impersonation_${change}`,
    subject: `customer_${customer.id}`,
    details: { name: customer.name, person: person.name, reason, until },
  });
  await recordAuditEvent(trx, customer.id, actors.inCustomer, {
    action: `impersonation.${change}`,
    subject: `user_${person.id}`,
    details: { name: person.name, reason, until },
  });
}
