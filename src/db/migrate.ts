import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { buildIndex, createIndex } from './build-index.ts';
import { type Db, type Dialect, dialectOf, type Trx } from './database.ts';
import { type Migration, migrations } from './migrations.ts';

/**
 * The last of the migrations that are applied together while the service is down. Later ones only add to the schema, so that
 * the previous version can go on serving.
 */
export const LAST_OFFLINE_MIGRATION = '067-database-timeline';

/** How long a migration waits for a lock. Meanwhile, all other queries of the table wait behind it. */
const LOCK_TIMEOUT_MS = 500;

const LOCK_RETRY_MS = 1000;
const MAX_LOCK_ATTEMPTS = 300;

/**
 * Brings the database to this version's schema. Returns the names of the migrations that it applied. Processes that start
 * together wait for the first of them. On SQLite, all migrations are one transaction. On PostgreSQL, each one is a
 * transaction, so that it holds its locks only for a moment.
 * @throws AppError `conflict` if a newer version made the database; `unavailable` if a long transaction holds a table.
 */
export async function migrate(db: Db, all: readonly Migration[] = migrations): Promise<string[]> {
  if (dialectOf(db) === 'sqlite') {
    return db.transaction().execute((trx) => applyMissing(trx, 'sqlite', undefined, all));
  }
  const applied: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const [next] = await findMissing(db, all);
    if (!next) return applied;
    try {
      applied.push(...(await applyNext(db, all, next)));
      attempt = 0;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === MAX_LOCK_ATTEMPTS) throw new AppError('unavailable', heldTable(next[0]), { cause: error });
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** Applies the next migration on PostgreSQL, or all offline migrations together (see `LAST_OFFLINE_MIGRATION`). */
async function applyNext(db: Db, all: readonly Migration[], [name, load]: Migration): Promise<string[]> {
  const migration = await load();
  if ('indexes' in migration) for (const index of migration.indexes) await buildIndex(db, index);
  return db.transaction().execute(async (trx) => {
    await lockSchema(trx, 'postgres');
    if (name <= LAST_OFFLINE_MIGRATION) {
      const offline = all.map(([each]) => each).filter((each) => each <= LAST_OFFLINE_MIGRATION);
      return applyMissing(trx, 'postgres', offline, all);
    }
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    return applyMissing(trx, 'postgres', [name], all);
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

function heldTable(name: string): string {
  return `The migration ${name} cannot change a table that a long transaction uses, such as a backup. Wait until that has ended, and try again.`;
}

/** Keeps all other processes from migrating or restoring until the transaction ends. */
export async function lockSchema(trx: Trx, dialect: Dialect): Promise<void> {
  // SQLite's transaction holds the only write lock already. The lock numbers are arbitrary; `buildIndex` uses the next one.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(7310553, 1)`.execute(trx);
}

/** Returns the names of the applied migrations; an empty array if the database is new. */
export async function appliedMigrations(db: Db | Trx): Promise<string[]> {
  const { rows } = await (dialectOf(db) === 'sqlite'
    ? sql`select 1 from sqlite_master where name = 'migrations'`
    : sql`select 1 where to_regclass('migrations') is not null`
  ).execute(db);
  return rows.length === 0 ? [] : [...(await appliedNames(db))].sort();
}

/** Returns the names that this version does not know, because they come from a newer one. */
export function unknownMigrations(names: readonly string[]): string[] {
  return names.filter((name) => !migrations.some(([known]) => known === name));
}

/**
 * Refuses migrations that this version does not know. `advice` says what to do about them.
 * @throws AppError `conflict` if there are any.
 */
export function refuseNewer(what: 'database' | 'backup', names: readonly string[], advice: string): void {
  const unknown = unknownMigrations(names);
  if (unknown.length === 0) return;
  throw new AppError(
    'conflict',
    `The ${what} was made by a newer version of Freehold (it has ${unknown.join(', ')}). ${advice}`,
  );
}

/** Returns the names of the migrations that `migrate` would apply. */
export async function pendingMigrations(db: Db | Trx): Promise<string[]> {
  const applied = await appliedMigrations(db);
  return migrations.map(([name]) => name).filter((name) => !applied.includes(name));
}

/** Applies the missing migrations, or only those in `wanted`: a backup is loaded into the schema that it was made from. */
export async function applyMissing(
  trx: Trx,
  dialect: Dialect,
  wanted?: readonly string[],
  all: readonly Migration[] = migrations,
): Promise<string[]> {
  const integer = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint');
  await sql`create table if not exists migrations (name text not null primary key, applied_at ${integer} not null)`.execute(
    trx,
  );
  const missing = (await findMissing(trx, all)).filter(([name]) => wanted?.includes(name) ?? true);
  for (const [name, load] of missing) {
    const migration = await load();
    if ('up' in migration) await migration.up(trx as unknown as Kysely<unknown>, dialect);
    else for (const index of migration.indexes) await createIndex(trx, dialect, index);
    await trx.insertInto('migrations').values({ name, applied_at: Date.now() }).execute();
  }
  return missing.map(([name]) => name);
}

/** Returns the migrations that are not applied yet. @throws AppError `conflict` if a newer version made the database. */
async function findMissing(db: Db | Trx, all: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !all.some(([known]) => known === name));
  refuseNewer('database', unknown, 'Start that version or newer.');
  return all.filter(([name]) => !applied.includes(name));
}

async function appliedNames(db: Db | Trx): Promise<Set<string>> {
  const rows = await db.selectFrom('migrations').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}
