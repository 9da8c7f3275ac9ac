import { createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { sql } from 'kysely';
import { DAMAGED_FILE_ADVICE } from '../db/damage.ts';
import { type Db, type Dialect, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import type { RowsOfTable } from '../db/load-rows.ts';
import { appliedMigrations, refuseNewer } from '../db/migrate.ts';
import { readParts } from '../db/read-in-parts.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { fileProblemOf, isFileError } from '../file-problem.ts';
import { replaceFile } from '../replace-file.ts';
import { type BackupEnd, writeBackup } from './backup-file.ts';
import { checkSqliteFile } from './check-sqlite-file.ts';
import { Findings } from './findings.ts';
import { onStopSignal } from './on-stop-signal.ts';
import { onSqliteSnapshot } from './sqlite-snapshot.ts';
import { existingTables, lastIds, type TableName, tables } from './tables.ts';

const MAX_MAPPED_BYTES = 2 ** 40;

interface BackupOptions {
  /** The folder for a copy of SQLite's database; defaults to the database's own folder. */
  snapshotFolder?: string | undefined;
}

/**
 * Writes a consistent backup of the whole database to the file while the service keeps running. An existing file is
 * replaced only once the new one is complete. Returns the number of rows in each table.
 * @throws AppError `conflict` if the database was made by a newer version, whose tables would be missed, or if another
 * backup is running; `unavailable` if SQLite's file is damaged or there is too little free space
 */
export async function backup(
  db: Db,
  file: string,
  { snapshotFolder: folder }: BackupOptions = {},
): Promise<Record<string, number>> {
  return replaceFile(file, 'backup', async (unfinished) => {
    const endSignals = onStopSignal(() => rmSync(unfinished, { force: true }));
    try {
      return await onSqliteSnapshot(db, { folder, targetFolder: dirname(file) }, (copyDb, takenAt) =>
        // Only the owner may read the file: it contains password hashes and all mail.
        backupTo(copyDb, takenAt, () => createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })),
      );
    } finally {
      endSignals();
    }
  });
}

/**
 * Streams a backup to another program. The output is a complete backup only if the promise resolves.
 * @throws AppError as `backup` does; `invalid` if the program has stopped reading
 */
export async function backupToPipe(
  db: Db,
  pipe: Writable,
  { snapshotFolder: folder }: BackupOptions = {},
): Promise<Record<string, number>> {
  try {
    return await onSqliteSnapshot(db, { folder }, (copyDb, takenAt) => backupTo(copyDb, takenAt, () => pipe));
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why = error.code === 'EPIPE' ? 'the program that reads it has ended' : fileProblemOf(error);
    throw new AppError('invalid', `The backup is incomplete: ${why}.`);
  }
}

/** Writes a backup of a database that nothing else changes meanwhile. `check` throws if SQLite's file is damaged. */
export function backupTo(
  db: Db,
  createdAt: number,
  open: () => Writable,
  check = refuseDamaged,
): Promise<Record<string, number>> {
  const dialect = dialectOf(db);
  return snapshot(db, async (trx) => {
    await disableStatementTimeout(trx, dialect);
    // The database may have an older schema than this version: backups are made before migrations.
    const migrations = await appliedMigrations(trx);
    refuseNewer('database', migrations, 'Back it up with that version.');
    if (dialect === 'sqlite') {
      // The copy is private, so mapping it is safe. The checks read most of its pages many times; without the mapping, each
      // read would be a system call.
      await sql`pragma mmap_size = ${sql.lit(MAX_MAPPED_BYTES)}`.execute(trx);
      await check(trx);
    }
    const names = await existingTables(trx, dialect);
    const rows = () => readTables(trx, dialect, names);
    const { counts } = await writeBackup(open(), { createdAt, migrations }, rows);
    return counts;
  });
}

async function* readTables(
  trx: Trx,
  dialect: Dialect,
  names: readonly TableName[],
): AsyncGenerator<RowsOfTable, BackupEnd> {
  const counts: Record<string, number> = {};
  for (const table of names) {
    counts[table] = 0;
    for await (const rows of readParts(trx, { table, ...tables[table] })) {
      counts[table] += rows.length;
      yield { table, columns: Object.keys(rows[0]!), rows: rows.map((row) => Object.values(row)) };
    }
  }
  return { counts, lastIds: await lastIds(trx, dialect, names) };
}

/**
 * Throws if SQLite's file is damaged. A damaged file can often be read from end to end but yields rows that no database
 * accepts, which would only be noticed on restore. Runs in the snapshot that is backed up, so the checked data is the
 * written data. PostgreSQL checks its own files.
 */
async function refuseDamaged(trx: Trx): Promise<void> {
  const findings = new Findings();
  await checkSqliteFile(trx, findings);
  const [first] = findings.problems();
  if (!first) return;
  throw new AppError(
    'unavailable',
    `The database is damaged (${first.message}). A backup of it might not be restorable, so none was made. Older backups are ` +
      `unchanged. Stop the service, ${DAMAGED_FILE_ADVICE} from before the damage. Run doctor to list all damage.`,
  );
}
