import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';

/**
 * Makes a message due at once that has failed, waits for a retry or is stored as a file, with a new period of three days. A
 * message that is being sent is left to its worker: otherwise it would arrive twice.
 * @throws AppError `not_found`; ValidationError when the message has been sent.
 */
export async function retryMail(trx: Trx, id: number): Promise<void> {
  const message = await trx.selectFrom('outbox').select('status').where('id', '=', id).executeTakeFirst();
  if (!message) throw notFound('The message');
  if (message.status === 'sent') throw new ValidationError([{ field: 'message', code: 'already_sent' }]);
  await trx
    .updateTable('outbox')
    .set(requeuedValues())
    .where('id', '=', id)
    // Checks the status again: on PostgreSQL, a worker may have sent the message since the query above.
    .where('status', '!=', 'sent')
    .where('claimed_by', 'is', null)
    .execute();
}

/** Makes all failed messages due at once, and returns how many. */
export async function retryFailedMail(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(requeuedValues())
    .where('status', '=', sql.lit('failed'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Makes all messages that wait for a retry due at once, and returns how many. When a server is back, the messages that have
 * failed most often would otherwise wait for hours.
 */
export async function retryWaitingMail(trx: Trx): Promise<number> {
  const now = Date.now();
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(requeuedValues())
    .where('status', '=', sql.lit('queued'))
    // Includes messages without an attempt that were queued while the clock was ahead.
    .where((e) => e.or([e('attempts', '>', 0), e('due_at', '>', now)]))
    .where('claimed_by', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Makes all messages stored as files due at once, and returns how many. */
export async function retryKeptMail(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(requeuedValues())
    .where('status', '=', sql.lit('kept'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Returns the column values of a requeued message. The server's last response stays until the next one. */
function requeuedValues() {
  return { status: 'queued' as const, attempts: 0, due_at: Date.now(), claimed_by: null };
}
