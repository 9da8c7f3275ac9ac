import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../src/db/database.ts';

/**
 * Does the second while the transaction of the first is open, which is committed when the second has to wait for it, or is
 * done. SQLite has one transaction after the other anyway. Returns the second's outcome.
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
 * Begins the first while a row that it needs is locked, and the second while the first waits for that row with all that it
 * has locked before it. Then lets both go on. On SQLite they come one after the other. Returns the outcomes of both.
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

/** Resolves when so many wait for locks, or when the work is done without. On SQLite nobody is seen to wait. */
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
