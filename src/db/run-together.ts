import { setImmediate } from 'node:timers/promises';
import { dialectOf, type Trx } from './database.ts';

/**
 * Runs pieces of work of one transaction concurrently: while PostgreSQL runs one statement, the next ones are written.
 * Prepared statements are sent at once, others after the answer to the previous one. If a piece fails, the others are
 * awaited first, since a statement sent after the rollback would be in no transaction. Then throws the first error: the
 * later ones only say that the transaction has failed.
 */
export async function runTogether(trx: Trx, pieces: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = [];
  const run = async (piece: () => Promise<unknown>) => {
    try {
      await piece();
    } catch (error) {
      errors.push(error);
    }
  };
  const running: Promise<void>[] = [];
  for (const piece of pieces) {
    running.push(run(piece));
    await letSend(trx);
  }
  await Promise.all(running);
  if (errors.length > 0) throw errors[0];
}

/**
 * Lets the event loop send pending statements to PostgreSQL. A socket takes only the first 200 KB of a long statement at
 * once, and PostgreSQL waits for the rest as long as this thread computes anything else. SQLite's statements run in this
 * thread.
 */
export async function letSend(trx: Trx): Promise<void> {
  if (dialectOf(trx) === 'postgres') await setImmediate();
}
