import { currentTraceparent } from '../db/connection-turns.ts';
import type { Trx } from '../db/database.ts';
import { preparedInsertMany } from '../db/prepared-rows.ts';
import { subjectName } from './subject-name.ts';

/** The person, program or operator that acts, and the IP address that they act from. */
export interface Actor {
  /** Null for the operator and the service, which are no users of the account. */
  readonly userId: number | null;
  /** The name that the log shows, even if the user is renamed or removed later. */
  readonly name: string;
  readonly ip: string | null;
  /**
   * Set if a seller acts in the name of one of its customer's users. The log then has the seller's name, but neither that
   * user nor an address.
   */
  readonly isSeller?: true;
  /** The user's API key; undefined if they are signed in. */
  readonly keyId?: number;
}

/** A user of the account who acts. */
export interface UserActor extends Actor {
  readonly userId: number;
  readonly ip: string;
}

/** The actor of commands, where nobody is signed in. */
export const operator: Actor = { userId: null, name: 'operator', ip: null };

/** The actor of work that the service does on its own. */
export const service: Actor = { userId: null, name: 'service', ip: null };

export interface AuditEvent {
  /** The subject's kind and the action: `page.moved`, `user.invited`. */
  action: string;
  /** The subject: `page_12`, `user_3`. */
  subject: string;
  /** Names and old and new values for people to read. Never a secret. */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * Records who did what in the account's audit log. The transaction is that of the change, so that neither exists without the
 * other. If the details have no name, the subject's current name is added: ids mean nothing to people, and names change.
 */
export async function recordAuditEvent(trx: Trx, accountId: number, actor: Actor, event: AuditEvent): Promise<void> {
  const name = event.details?.name ?? (await subjectName(trx, accountId, event.subject));
  const details = { ...event.details, name };
  await insert(trx, [rowOf({ accountId, actor, event: { ...event, details } }, Date.now())]);
}

/** An event with everything that is recorded about it. */
export interface NamedAuditEvent {
  accountId: number;
  actor: Actor;
  event: AuditEvent & { details: { readonly name: unknown } };
}

/** Records events of any accounts, in their order. Their details must have the names of the subjects. */
export async function recordAuditEvents(trx: Trx, events: readonly NamedAuditEvent[]): Promise<void> {
  const now = Date.now();
  await insert(
    trx,
    events.map((event) => rowOf(event, now)),
  );
}

function rowOf({ accountId, actor, event }: NamedAuditEvent, at: number) {
  return {
    account_id: accountId,
    user_id: actor.isSeller ? null : actor.userId,
    api_key_id: actor.isSeller ? null : (actor.keyId ?? null),
    actor: actor.name,
    action: event.action,
    subject: event.subject,
    ip: actor.isSeller ? null : actor.ip,
    at,
    details: JSON.stringify(event.details),
    traceparent: currentTraceparent(),
  };
}

const insert = preparedInsertMany('audit_log', {
  account_id: 'bigint',
  user_id: 'bigint',
  api_key_id: 'bigint',
  actor: 'text',
  action: 'text',
  subject: 'text',
  ip: 'text',
  at: 'bigint',
  details: 'text',
  traceparent: 'text',
});
