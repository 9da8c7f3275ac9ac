import { type ExpressionBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import type { OutboxRow } from './outbox.ts';
import { lockAccountsOfMail, recordFailedMail } from './record-failed-mail.ts';

/**
 * Records that the messages were sent, even if the lease has expired and another worker has them: they have left the
 * service.
 */
export async function recordSent(trx: Trx, ids: readonly number[], now: number): Promise<void> {
  await markSent(trx, { ids: JSON.stringify(ids), now });
}

/** Records that the messages are stored as files (see `kept-mail.ts`), unless another worker has sent them in the meantime. */
export async function recordKept(trx: Trx, ids: readonly number[]): Promise<void> {
  await markKept(trx, { ids: JSON.stringify(ids) });
}

const markSent = prepared<{ ids: string; now: number }, unknown>((db, parameter) =>
  db
    .updateTable('outbox')
    .set((e) => ({
      status: sql.lit('sent'),
      sent_at: parameter('now'),
      claimed_by: null,
      last_error: null,
      secret: null,
      attempts: increasedAttempts(e),
    }))
    .where(inJsonList(db, 'id', parameter('ids'), 'bigint'))
    .where('status', '!=', sql.lit('sent')),
);

const markKept = prepared<{ ids: string }, unknown>((db, parameter) =>
  db
    .updateTable('outbox')
    .set((e) => ({ status: sql.lit('kept'), claimed_by: null, last_error: null, attempts: increasedAttempts(e) }))
    .where(inJsonList(db, 'id', parameter('ids'), 'bigint'))
    .where('status', 'not in', [sql.lit('sent' as const), sql.lit('kept' as const)]),
);

/**
 * Records a failed attempt. The message is due again at `dueAt`, or has failed for good if `dueAt` is undefined; then an
 * event is logged. Does nothing if another worker has taken over the lease.
 */
export async function recordFailure(
  trx: Trx,
  message: OutboxRow,
  { serverReply, dueAt, isRefused }: { serverReply: string; dueAt: number | undefined; isRefused: boolean },
): Promise<void> {
  const { id, claimed_by: worker } = message;
  const next = dueAt === undefined ? { status: 'failed' as const } : { due_at: dueAt };
  const accounts = dueAt === undefined ? await lockAccountsOfMail(trx, message) : undefined;
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ ...next, claimed_by: null, last_error: serverReply, attempts: increasedAttempts })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('claimed_by', '=', worker)
    .executeTakeFirst();
  if (!accounts || numUpdatedRows === 0n) return;
  // Tells the account's users the server's response to this message, but nothing about the operator's network.
  const reason = isRefused ? serverReply : 'No mail server took the message within three days.';
  await recordFailedMail(trx, message, { ...accounts, reason });
}

function increasedAttempts(eb: ExpressionBuilder<Schema, 'outbox'>) {
  return eb('attempts', '+', sql.lit(1));
}
