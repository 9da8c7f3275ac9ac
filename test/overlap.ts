import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../src/db/database.ts';

/**
 * Runs `second` while the transaction of `first` is open. The transaction is committed once `second` waits for it or is done.
 * SQLite runs transactions one after another anyway. Returns the outcome of `second`.
 */
export async function overlapping<T>(
  db: Db,
  first: (trx: Trx) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  let outcome: Promise<T> | undefined;
  await db.transaction().execute(async (trx) => {
    await first(trx);
    outcome = second();
    await untilWaiting(db, 1, outcome);
  });
  return outcome!;
}

/**
 * Starts `first` while a row that it needs is locked by `lock`, and `second` while `first` waits for that row and holds its other
 * locks. Then releases the row. On SQLite both run one after the other. Returns the outcomes of both.
 */
export async function interleaved<A, B>(
  db: Db,
  { lock, first, second }: { lock: (trx: Trx) => Promise<unknown>; first: () => Promise<A>; second: () => Promise<B> },
): Promise<[PromiseSettledResult<A>, PromiseSettledResult<B>]> {
  if (dialectOf(db) === 'sqlite') return Promise.allSettled([first(), second()]);
  let outcomes: [Promise<A>, Promise<B>] | undefined;
  await db.transaction().execute(async (trx) => {
    await lock(trx);
    const one = first();
    await untilWaiting(db, 1, one);
    const two = second();
    await untilWaiting(db, 2, two);
    outcomes = [one, two];
  });
  return Promise.allSettled(outcomes!);
}

/** Resolves when this many connections wait for locks, or when the work is done. On SQLite it resolves at once. */
export async function untilWaiting(db: Db, count: number, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (dialectOf(db) === 'postgres' && !isDone && (await waiting(db)) < count) await setImmediate();
}

async function waiting(db: Db): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
