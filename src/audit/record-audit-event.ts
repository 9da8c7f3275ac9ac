import type { Trx } from '../db/database.ts';
import { preparedInsert } from '../db/prepared.ts';
import { subjectName } from './subject-name.ts';

/** Who does something, and from where. */
export interface Actor {
  /** Null for the operator, who is no user of the account. */
  userId: number | null;
  /** As the log shows it, whatever becomes of the user. */
  name: string;
  ip: string | null;
}

/** What is done without anybody's being signed in: by a command. */
export const operator: Actor = { userId: null, name: 'operator', ip: null };

export interface AuditEvent {
  /** A word for it: `page.moved`, `user.invited`. */
  action: string;
  /** What it was done to: `page_12`, `user_3`. */
  subject: string;
  /** For people to read: names, old and new values. Never a secret. */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * Notes in the account's log who did what: in the transaction of the change, so that there is neither without the other.
 * What it was done to has its present name in the details, where they bring none: ids tell people nothing, and names change.
 */
export async function recordAuditEvent(trx: Trx, accountId: number, actor: Actor, event: AuditEvent): Promise<void> {
  const name = event.details?.name ?? (await subjectName(trx, accountId, event.subject));
  await insert(trx, {
    account_id: accountId,
    user_id: actor.userId,
    actor: actor.name,
    action: event.action,
    subject: event.subject,
    ip: actor.ip,
    at: Date.now(),
    details: JSON.stringify({ ...event.details, name }),
  });
}

const insert = preparedInsert('audit_log', [
  'account_id',
  'user_id',
  'actor',
  'action',
  'subject',
  'ip',
  'at',
  'details',
]);
