import { sql } from 'kysely';
import { DAMAGED_FILE_ADVICE } from '../db/damage.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { appliedMigrations, refuseNewer } from '../db/migrate.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { type BackupEnd, type BackupRow, writeBackupFile } from './backup-file.ts';
import { checkSqliteFile } from './check-sqlite-file.ts';
import { Findings } from './findings.ts';
import { readAhead } from './read-ahead.ts';
import { existingTables, lastIds, type TableName, tables } from './tables.ts';

/**
 * Writes everything the database holds to the file, as it is at one moment, while the service goes on. A file of that
 * name is replaced once the new one is complete. Returns how many rows of each table there are.
 * @throws AppError `conflict` when the database was made by a newer version, whose tables would be missed; `unavailable`
 * when SQLite's file is damaged.
 */
export async function backup(db: Db, file: string): Promise<Record<string, number>> {
  const dialect = dialectOf(db);
  await readAhead(db);
  return snapshot(db, async (trx) => {
    await disableStatementTimeout(trx, dialect);
    // The database may be older than this version: backups are made before migrations.
    const migrations = await appliedMigrations(trx);
    refuseNewer('database', migrations, 'Back it up with that version.');
    if (dialect === 'sqlite') await refuseDamaged(trx);
    const names = await existingTables(trx, dialect);
    async function* rows(): AsyncGenerator<Omit<BackupRow, 'size'>, BackupEnd> {
      const counts: Record<string, number> = {};
      for (const table of names) {
        counts[table] = 0;
        for await (const row of readTable(trx, table)) {
          counts[table]++;
          yield { table, row };
        }
      }
      return { counts, lastIds: await lastIds(trx, dialect, names) };
    }
    const { counts } = await writeBackupFile(file, { createdAt: Date.now(), migrations }, rows);
    return counts;
  });
}

/**
 * A damaged file can often be read from end to end, and give rows that no database takes: nobody would know before they need
 * them. In the snapshot that is backed up, so that what is written is what was checked. PostgreSQL sees to its own files.
 */
async function refuseDamaged(trx: Trx): Promise<void> {
  const findings = new Findings();
  await checkSqliteFile(trx, findings);
  const [first] = findings.problems();
  if (!first) return;
  throw new AppError(
    'unavailable',
    `The database is damaged (${first.message}). A backup of it might not restore, so none was made, and older ones are as ` +
      `they were. Stop the service, ${DAMAGED_FILE_ADVICE}: the last one from before. doctor tells of all that is damaged.`,
  );
}

/** How many rows are read at once, and how many bytes of long texts. */
const MAX_BATCH = { rows: 1000, bytes: 4 * 1024 * 1024 };

type Row = BackupRow['row'];

/** All rows in the order of the key, in parts that fit into memory however long the texts are. */
async function* readTable(trx: Trx, table: TableName): AsyncGenerator<Row> {
  const { key, long } = tables[table];
  let after: unknown[] | undefined;
  for (;;) {
    // First how large the next rows are; then the rows themselves up to where a part is full. Both see one snapshot.
    const sizes = await readSizes(trx, table, after);
    if (sizes.length === 0) return;
    for (let start = 0; start < sizes.length; ) {
      let stop = start;
      let bytes = 0;
      do bytes += Number(sizes[stop++]!.size);
      while (stop < sizes.length && bytes + Number(sizes[stop]!.size) <= MAX_BATCH.bytes);
      const last = key.map((column) => sizes[stop - 1]![column]);
      const { rows } = await sql<Row>`select * from ${sql.table(table)}
        where ${isAfter(key, after)} and (${columns(key)}) <= (${sql.join(last)})
        order by ${columns(key)}`.execute(trx);
      yield* rows;
      after = last;
      start = stop;
    }
    if (long.length === 0 && sizes.length < MAX_BATCH.rows) return;
  }
}

async function readSizes(trx: Trx, table: TableName, after: unknown[] | undefined): Promise<Row[]> {
  const { key, long } = tables[table];
  const lengths = long.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  const size = lengths.length === 0 ? sql`0` : sql.join(lengths, sql` + `);
  const { rows } = await sql<Row>`select ${columns(key)}, ${size} as size from ${sql.table(table)}
    where ${isAfter(key, after)} order by ${columns(key)} limit ${sql.lit(MAX_BATCH.rows)}`.execute(trx);
  return rows;
}

function columns(key: readonly string[]) {
  return sql.join(key.map((column) => sql.ref(column)));
}

function isAfter(key: readonly string[], after: unknown[] | undefined) {
  return after === undefined ? sql`true` : sql`(${columns(key)}) > (${sql.join(after)})`;
}
