import { setImmediate } from 'node:timers/promises';
import { dialectOf, type Trx } from './database.ts';

/**
 * Runs pieces of work of one transaction at the same time: while PostgreSQL does one statement, the next ones are written. Prepared
 * statements are sent at once, others when the one before has its answer. If a piece fails, waits for the others, since a
 * statement that is sent after the rollback would be in no transaction. Then throws the first error: the later ones only say that
 * the transaction has failed.
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
 * Lets the event loop send what PostgreSQL has been asked: a socket takes the first 200 KB of a long statement at once, and PostgreSQL
 * waits for the rest as long as anything else is computed. SQLite has been asked in this thread.
 */
export async function letSend(trx: Trx): Promise<void> {
  if (dialectOf(trx) === 'postgres') await setImmediate();
}
