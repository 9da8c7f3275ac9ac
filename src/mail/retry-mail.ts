import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';

/**
 * Makes a message that failed, waits for its next attempt or is kept as a file due at once, with a new period of three
 * days. A message that is being sent is left to its worker, or it would arrive twice.
 * @throws AppError `not_found`; ValidationError when the message is sent.
 */
export async function retryMail(trx: Trx, id: number): Promise<void> {
  const message = await trx.selectFrom('outbox').select('status').where('id', '=', id).executeTakeFirst();
  if (!message) throw notFound('The message');
  if (message.status === 'sent') throw new ValidationError([{ field: 'message', code: 'already_sent' }]);
  await trx
    .updateTable('outbox')
    .set(afresh())
    .where('id', '=', id)
    // Once more, because on PostgreSQL a worker may have been faster since the look above.
    .where('status', '!=', 'sent')
    .where('claimed_by', 'is', null)
    .execute();
}

/** Does the same for every message that failed, and returns how many these were. */
export async function retryFailedMail(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(afresh())
    .where('status', '=', sql.lit('failed'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Does the same for every message that waits for its next attempt, and returns how many these were. Once a server is
 * there again, those that have waited longest would wait for hours.
 */
export async function retryWaitingMail(trx: Trx): Promise<number> {
  const now = Date.now();
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(afresh())
    .where('status', '=', sql.lit('queued'))
    // Queued while the clock was ahead, a message waits for that time without an attempt.
    .where((e) => e.or([e('attempts', '>', 0), e('due_at', '>', now)]))
    .where('claimed_by', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Does the same for every message that is only kept as a file, and returns how many these were. */
export async function retryKeptMail(trx: Trx): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(afresh())
    .where('status', '=', sql.lit('kept'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** The server's last words stay until it has new ones. */
function afresh() {
  return { status: 'queued' as const, attempts: 0, due_at: Date.now(), claimed_by: null };
}
