import { dirname } from 'node:path';
import { sql } from 'kysely';
import { isUnavailable } from '../db/constraint.ts';
import { databaseReasonOf } from '../db/damage.ts';
import { type Db, type Dialect, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { loadRows, type RowsOfTable } from '../db/load-rows.ts';
import { appliedMigrations, applyMissing, lockSchema, refuseNewer } from '../db/migrate.ts';
import { measureSqlite } from '../db/sqlite-copy.ts';
import { AppError } from '../errors.ts';
import { skipIds } from '../tenancy/skip-ids.ts';
import { type BackupEnd, type BackupHeader, type BackupSource, readBackup } from './backup-file.ts';
import { endOpenSessions } from './end-open-sessions.ts';
import { checkFreeRoom, MIN_FREE_BYTES } from './free-room.ts';
import { emptySearch, prepareLoading } from './restore-schema.ts';
import { existingTables, hasIds, lastIds, type TableName, tableNames } from './tables.ts';

export interface Restored {
  /** When the backup was made, in milliseconds since 1970. */
  createdAt: number;
  /** The number of rows in each table. */
  counts: Record<string, number>;
  /** The migrations that the backup lacked and the restore applied. */
  migrated: string[];
}

/**
 * Sets the database back to the state in the backup, migrated to this version's schema. The file is checked completely
 * before anything changes, and the restore is one transaction: a running service sees the old state or the new one.
 * @throws AppError `invalid` if the file is damaged; `conflict` if it is from a newer version, or if the database is not
 * empty and `replace` is false; `unavailable` if there is too little space for SQLite's files
 */
export async function restore(db: Db, backup: BackupSource, { replace }: { replace: boolean }): Promise<Restored> {
  const { createdAt, migrations, bytes } = await checkBackup(backup);
  const dialect = dialectOf(db);
  if (dialect === 'sqlite') await checkRoomFor(db, bytes);
  try {
    await keepMemory(db, dialect);
    return await db.transaction().execute(async (trx) => {
      await disableStatementTimeout(trx, dialect);
      await lockSchema(trx, dialect);
      const names = await existingTables(trx, dialect);
      await checkTarget(trx, names, replace);
      const before = await highWater(trx, dialect, names);
      const version = Math.max(Date.now(), before.version + 1);

      const finishLoading = await prepareLoading(trx, dialect, names, migrations);
      // Reads and checks the file again, so that exactly the checked data is loaded.
      const { counts, lastIds: ids } = await load(trx, backup, version);
      await finishLoading();
      const migrated = await applyMissing(trx, dialect);
      await raiseVersions(trx, version);
      await endOpenSessions(trx);
      await emptySearch(trx, dialect);
      await continueIds(trx, dialect, ids, before.ids);
      await skipIds((text) => sql.raw(text).execute(trx), dialect);
      return { createdAt, counts, migrated };
    });
  } catch (error) {
    throw toRestoreError(error);
  }
}

function toRestoreError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (isUnavailable(error)) {
    return new AppError(
      'unavailable',
      `The database is busy or not available; nothing was changed (${databaseReasonOf(error)}).`,
    );
  }
  const isForeignKey = /foreign key/i.test(error.message);
  return isForeignKey ? new AppError('invalid', "The backup's rows are inconsistent; nothing was changed.") : error;
}

/**
 * Makes SQLite keep its undo data for the transaction, here the whole old database, on disk instead of in memory. SQLite
 * reads this setting when a transaction begins, so the setting needs a transaction of its own. A connection that has used
 * temporary tables refuses the setting. The restore then takes more memory, but still works.
 */
async function keepMemory(db: Db, dialect: Dialect): Promise<void> {
  if (dialect !== 'sqlite') return;
  await db
    .transaction()
    .execute((trx) => sql`pragma temp_store = file`.execute(trx))
    .catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
    });
}

async function checkBackup(backup: BackupSource): Promise<BackupHeader & { bytes: number }> {
  let header: BackupHeader | undefined;
  let bytes = 0;
  for await (const item of readBackup(backup)) {
    if ('header' in item) {
      header = item.header;
      refuseNewer('backup', header.migrations, 'Restore it with that version.');
    } else if (!tableNames.includes(item.part.table as TableName)) {
      throw new AppError('invalid', `The backup is damaged: there is no table "${item.part.table}".`);
    } else {
      bytes += item.bytes;
    }
  }
  return { ...header!, bytes };
}

/**
 * Checks the free space. The database takes 1.5 times the text of its rows, and all of it is in SQLite's log before it is
 * in the file.
 */
async function checkRoomFor(db: Db, textBytes: number): Promise<void> {
  const { file, bytes: present } = await measureSqlite(db);
  const bytes = textBytes * 1.5;
  await checkFreeRoom(dirname(file), bytes + Math.max(0, bytes - present) + MIN_FREE_BYTES, {
    what: 'the restored database, with its write-ahead log,',
    advice: 'Free some space.',
  });
}

async function checkTarget(trx: Trx, names: TableName[], replace: boolean): Promise<void> {
  refuseNewer('database', await appliedMigrations(trx), 'Restore with that version, or into an empty database.');
  if (replace) return;
  for (const name of names) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(trx);
    if (rows.length > 0) {
      throw new AppError(
        'conflict',
        'The database is not empty. Use --replace to replace its whole content with the backup.',
      );
    }
  }
}

/** Returns the values that must not be assigned again: the last ids, and the highest version. */
async function highWater(trx: Trx, dialect: Dialect, names: TableName[]) {
  const ids = await lastIds(trx, dialect, names);
  if (!names.includes('accounts')) return { ids, version: 0 };
  const { highest } = await trx
    .selectFrom('accounts')
    .select((e) => [e.fn.max('content_version').as('content'), e.fn.max('customers_version').as('customers')])
    .executeTakeFirstOrThrow()
    .then(({ content, customers }) => ({ highest: Math.max(content ?? 0, customers ?? 0) }));
  return { ids, version: highest };
}

/** Loads the rows. Their columns are those of the backup's schema, which may be older than today's. */
async function load(trx: Trx, backup: BackupSource, version: number): Promise<BackupEnd> {
  const source = readBackup(backup);
  // The next rows are read while PostgreSQL inserts the previous ones.
  let loading = Promise.resolve();
  try {
    let next = await source.next();
    for (; !next.done; next = await source.next()) {
      if ('header' in next.value) continue;
      const rows = withVersion(next.value.part, version);
      await loading;
      loading = loadRows(trx, rows);
      // Prevents an unhandled rejection: the promise is awaited later.
      loading.catch(() => {});
    }
    await loading;
    return next.value;
  } finally {
    // Wait for the pending insert before the transaction is rolled back.
    await loading.catch(() => {});
    // Closes the file. Node would otherwise report an uncaught error when it collects the open file as garbage.
    await source.return(undefined as never);
  }
}

/**
 * Raises the versions of pages, as `raiseVersions` does those of accounts, but before the insert: updating millions of rows
 * afterwards takes longer than inserting them.
 */
function withVersion(part: RowsOfTable, version: number): RowsOfTable {
  const index = part.table === 'pages' ? part.columns.indexOf('version') : -1;
  if (index < 0) return part;
  return { ...part, rows: part.rows.map((row) => row.with(index, Math.max(Number(row[index]), version))) };
}

/**
 * Raises the versions of all accounts. Versions name ETags and cached answers in clients and running services, so none may
 * be assigned again with another meaning. The time in milliseconds is above any count of changes; `version` also exceeds
 * the replaced database's highest version. The restore counts as a change for clients that ask by date.
 */
async function raiseVersions(trx: Trx, version: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      content_version: sql`case when content_version > ${version} then content_version else ${version} end`,
      customers_version: sql`case when customers_version > ${version} then customers_version else ${version} end`,
      content_changed_at: Date.now(),
    })
    .execute();
  // Pages that were created after the backup have vanished without a record, so no earlier changes can be listed.
  await trx
    .updateTable('accounts')
    .set((e) => ({ changes_known_from: e.ref('content_version') }))
    .execute();
}

/** Sets the id counters so that no id is assigned again that the backup's database or the replaced one has assigned. */
async function continueIds(
  trx: Trx,
  dialect: Dialect,
  fromBackup: Record<string, number>,
  replaced: Record<string, number>,
): Promise<void> {
  for (const name of tableNames.filter(hasIds)) {
    const last = Math.max(fromBackup[name] ?? 0, replaced[name] ?? 0);
    if (dialect === 'sqlite') {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(trx);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(trx);
    } else if (last > 0) {
      await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${last})`.execute(trx);
    }
  }
}
