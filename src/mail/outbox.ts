import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { currentTraceparent } from '../db/connection-turns.ts';
import type { Trx } from '../db/database.ts';
import { preparedInsertMany } from '../db/prepared-rows.ts';
import type { OutboxTable } from '../db/schema.ts';
import type { MailKind } from './mail-words.ts';

/** A message as it is stored in the outbox, without the flag for bulk mail. */
export type OutboxRow = Omit<Selectable<OutboxTable>, 'is_bulk'>;

/** A message before it is queued. Names may contain anything; the transport quotes them in headers. */
export interface Message {
  kind?: MailKind;
  /** The sender's name as the recipient knows it; the address is the installation's. */
  fromName: string;
  toName: string;
  toEmail: string;
  /** The address for replies; null for none. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  /** The token of a link in the message. The text and HTML have the placeholder `TOKEN` instead. */
  secret?: string;
}

/** A message with the recipient's account. */
export interface QueuedMessage {
  accountId: number;
  message: Message;
}

/**
 * Queues a message in the transaction that causes it, so that both happen or neither does. The worker sends it afterwards.
 * The Message-ID is fixed here, so that a message sent twice after a crash can be recognized as one.
 */
export function enqueue(trx: Trx, accountId: number, mailFrom: string, message: Message): Promise<void> {
  return insertMessages(trx, mailFrom, [{ accountId, message }], 0);
}

/**
 * Queues bulk messages to users of any accounts, in order. They are sent when no other message is due, so that a link for a
 * new password need not wait until ten thousand customers have been mailed.
 */
export function enqueueAll(trx: Trx, mailFrom: string, messages: readonly QueuedMessage[]): Promise<void> {
  return insertMessages(trx, mailFrom, messages, 1);
}

async function insertMessages(
  trx: Trx,
  mailFrom: string,
  messages: readonly QueuedMessage[],
  isBulk: 0 | 1,
): Promise<void> {
  const now = Date.now();
  const traceparent = currentTraceparent();
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  const rows = messages.map(({ accountId, message }) => ({
    account_id: accountId,
    kind: message.kind ?? null,
    message_id: `<${randomUUID()}@${domain}>`,
    from_name: message.fromName,
    to_name: message.toName,
    to_email: message.toEmail,
    reply_to: message.replyTo,
    subject: message.subject,
    text: message.text,
    html: message.html,
    secret: message.secret ?? null,
    status: 'queued' as const,
    due_at: now,
    created_at: now,
    traceparent,
    is_bulk: isBulk,
  }));
  await insert(trx, rows);
}

const insert = preparedInsertMany('outbox', {
  account_id: 'bigint',
  kind: 'text',
  message_id: 'text',
  from_name: 'text',
  to_name: 'text',
  to_email: 'text',
  reply_to: 'text',
  subject: 'text',
  text: 'text',
  html: 'text',
  secret: 'text',
  status: 'text',
  due_at: 'bigint',
  created_at: 'bigint',
  traceparent: 'text',
  is_bulk: 'bigint',
});
