import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Trx } from '../db/database.ts';
import { preparedInsert } from '../db/prepared.ts';
import type { OutboxTable } from '../db/schema.ts';

/** A queued message as it is stored. */
export type OutboxRow = Selectable<OutboxTable>;

/** A message before it is queued. Names may hold anything; the transport quotes them where they become headers. */
export interface Message {
  /** The sender's name as the reader knows them; the address is the installation's. */
  fromName: string;
  toName: string;
  toEmail: string;
  /** The address that takes the replies; null for none. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  /** The token of a link in the message. Its text and HTML have a placeholder instead (`TOKEN`). */
  secret?: string;
}

/**
 * Queues a message in the transaction that causes it: both happen or neither. The worker sends it afterwards.
 * The Message-ID is fixed here, so that a message sent twice after a crash can be recognised as one.
 */
export async function enqueue(trx: Trx, accountId: number, mailFrom: string, message: Message): Promise<void> {
  const now = Date.now();
  await insert(trx, {
    account_id: accountId,
    message_id: `<${randomUUID()}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
    from_name: message.fromName,
    to_name: message.toName,
    to_email: message.toEmail,
    reply_to: message.replyTo,
    subject: message.subject,
    text: message.text,
    html: message.html,
    secret: message.secret ?? null,
    status: 'queued',
    due_at: now,
    created_at: now,
  });
}

const insert = preparedInsert('outbox', [
  'account_id',
  'message_id',
  'from_name',
  'to_name',
  'to_email',
  'reply_to',
  'subject',
  'text',
  'html',
  'secret',
  'status',
  'due_at',
  'created_at',
]);
