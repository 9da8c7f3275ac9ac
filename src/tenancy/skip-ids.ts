import type { Dialect } from '../db/database.ts';

/** The most ids that a table assigns in a millisecond: more rows than the service can insert. */
const MAX_IDS_PER_MS = 10;

/** How much the clocks of several machines may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Skips the ids that may have been assigned after the last change that the database knows of. Used after the database has lost
 * its last commits, or was set back to an earlier state. Clients may have stored these ids, and must not find other rows under
 * them. `execute` runs a statement in a transaction.
 */
export async function skipIds(
  execute: (sql: string) => Promise<unknown>,
  dialect: Dialect,
  now = Date.now(),
): Promise<void> {
  const time = Math.trunc(now);
  // An empty database does not tell its age.
  const lastChange = `coalesce((select at from audit_log order by id desc limit 1), (select max(created_at) from accounts), ${time})`;
  const missing = `(${time + MAX_CLOCK_DIFFERENCE_MS} - ${lastChange})`;
  const skipped = `${missing} * ${MAX_IDS_PER_MS}`;
  if (dialect === 'postgres') {
    // PostgreSQL refuses to set a sequence to 0, which would happen for a table without rows if no ids were skipped.
    await execute(`select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${skipped})
      from pg_sequences where schemaname = current_schema() and ${missing} > 0`);
    return;
  }
  // A table that never had a row has no entry among the sequences.
  await execute(`insert into sqlite_sequence (name, seq) select name, 0 from sqlite_schema
    where type = 'table' and sql like '%autoincrement%' and name not in (select name from sqlite_sequence)`);
  await execute(`update sqlite_sequence set seq = seq + ${skipped} where ${missing} > 0`);
}
