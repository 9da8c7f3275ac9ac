import { DAMAGED_FILE_ADVICE } from '../db/damage.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { appliedMigrations, refuseNewer } from '../db/migrate.ts';
import { readInParts } from '../db/read-in-parts.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { type BackupEnd, type BackupRow, writeBackupFile } from './backup-file.ts';
import { checkSqliteFile } from './check-sqlite-file.ts';
import { Findings } from './findings.ts';
import { readAhead } from './read-ahead.ts';
import { existingTables, lastIds, tables } from './tables.ts';

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
        for await (const row of readInParts(trx, { table, ...tables[table] })) {
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
