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
    let isDone = false;
    outcome = second().finally(() => {
      isDone = true;
    });
    outcome.catch(() => {});
    while (dialectOf(db) === 'postgres' && !isDone && !(await somebodyWaits(db))) await setImmediate();
  });
  return outcome!;
}

async function somebodyWaits(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}
