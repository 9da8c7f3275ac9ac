import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';

interface Recorded {
  agencyId: number;
  customer: { id: number; name: string };
  person: { id: number; name: string };
  /** The actor as each log names them. */
  actors: { inAgency: Actor; inCustomer: Actor };
  change: 'started' | 'ended';
  reason: string;
  /** For a beginning: when it ends by itself, in milliseconds since 1970. Then there is no event of its end. */
  until?: number;
}

/** Records the beginning or the end of an impersonation in the logs of both accounts. */
export async function recordImpersonation(trx: Trx, recorded: Recorded): Promise<void> {
  const { agencyId, customer, person, actors, change, reason, until } = recorded;
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
