import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Dialect, Trx } from './database.ts';

/** An index that a migration creates. */
export interface Index {
  readonly name: string;
  /** The rest of `create index NAME`: `on pages (account_id, version) where has_changed = 1`. */
  readonly on: string;
}

const POLL_MS = 1000;

/**
 * Builds the index on PostgreSQL while others read and write the table. Does nothing if a valid index exists. An index that
 * an interrupted process left unfinished is built again.
 */
export async function buildIndex(db: Db, index: Index): Promise<void> {
  while (!(await isValid(db, index))) {
    const isMine = await db.connection().execute((connection) => buildAlone(connection, index));
    // Another process is building an index.
    if (!isMine) await sleep(POLL_MS);
  }
}

/**
 * Creates the index within a transaction, which blocks writes to the table. On PostgreSQL, does nothing if a valid index
 * exists.
 */
export async function createIndex(trx: Trx, dialect: Dialect, index: Index): Promise<void> {
  // `if not exists` would lock the table even if the index exists.
  if (dialect === 'postgres' && (await isValid(trx, index))) return;
  await sql`create index ${sql.id(index.name)} ${sql.raw(index.on)}`.execute(trx);
}

/**
 * Builds the index and returns true, or returns false if another process is building one. Waiting for the lock would be a
 * deadlock: `create index concurrently` waits for older statements, including one that waits for the lock.
 */
async function buildAlone(connection: Db, index: Index): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(7310553, 2) as locked`.execute(
    connection,
  );
  if (!rows[0]?.locked) return false;
  try {
    if (await isValid(connection, index)) return true;
    // The index of a large table takes longer to build than the statement timeout allows.
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`drop index concurrently if exists ${sql.id(index.name)}`.execute(connection);
    await sql`create index concurrently ${sql.id(index.name)} ${sql.raw(index.on)}`.execute(connection);
    return true;
  } finally {
    await sql`reset statement_timeout`.execute(connection);
    await sql`select pg_advisory_unlock(7310553, 2)`.execute(connection);
  }
}

async function isValid(db: Db | Trx, { name }: Index): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_index where indexrelid = to_regclass(${name}) and indisvalid`.execute(db);
  return rows.length > 0;
}
