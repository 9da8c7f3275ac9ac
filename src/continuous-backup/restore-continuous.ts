import { createWriteStream, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrivately, makePrivateFolder } from '../db/create-privately.ts';
import type { Db, Trx } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { AppError } from '../errors.ts';
import { fileProblemOf, isFileError } from '../file-problem.ts';
import { makeFolder } from '../make-folder.ts';
import { backupTo } from '../operations/backup.ts';
import { checkSqliteFile } from '../operations/check-sqlite-file.ts';
import { Findings } from '../operations/findings.ts';
import { checkFreeRoom, MIN_FREE_BYTES } from '../operations/free-room.ts';
import { onStopSignal } from '../operations/on-stop-signal.ts';
import { type Restored, restore } from '../operations/restore.ts';
import { checkBackupFolder, restoreFolder } from './own-folders.ts';
import { rebuildDatabase } from './rebuild-database.ts';

interface RestoreOptions {
  /** The moment, in milliseconds since 1970; undefined for the last state. */
  until: number | undefined;
  replace: boolean;
  /** The folder in which the old database is rebuilt before anything changes. */
  dataDir: string;
}

/**
 * Restores the database to a moment of a continuous backup. Rebuilds the old database in a separate folder, checks it,
 * makes a backup of it and restores that with `restore`.
 * @throws AppError as `rebuildDatabase` and `restore` do
 */
export async function restoreContinuous(
  db: Db,
  folder: string,
  { until, replace, dataDir }: RestoreOptions,
): Promise<Restored & { ignored: string | undefined }> {
  checkBackupFolder(folder, dataDir);
  const own = restoreFolder(dataDir);
  const remove = () => rmSync(own, { recursive: true, force: true });
  makeFolder(dataDir);
  const endSignals = onStopSignal(remove);
  try {
    // Removes a folder that a crash may have left.
    remove();
    makePrivateFolder(own);
    const file = join(own, 'freehold.db');
    createPrivately(file);
    const { time, ignored } = await rebuildDatabase(folder, file, until);
    const backup = join(own, 'backup.zst');
    await backUp(file, own, { createdAt: time, backup, folder });
    return { ...(await restore(db, backup, { replace })), ignored };
  } catch (error) {
    throw isFileError(error)
      ? new AppError('invalid', `The backup cannot be restored: ${fileProblemOf(error)}.`)
      : error;
  } finally {
    endSignals();
    remove();
  }
}

async function backUp(
  file: string,
  own: string,
  { createdAt, backup, folder }: { createdAt: number; backup: string; folder: string },
): Promise<void> {
  const { size } = await stat(file);
  await checkFreeRoom(own, size / 2 + MIN_FREE_BYTES, { what: 'the restored database', advice: 'Free some space.' });
  const copyDb = await openDatabase({ dataDir: own, databaseUrl: '', databasePool: 1 });
  try {
    const open = () => createWriteStream(backup, { flags: 'wx', mode: 0o600 });
    await backupTo(copyDb, createdAt, open, (trx) => refuseDamaged(trx, folder));
  } finally {
    await copyDb.destroy();
  }
}

async function refuseDamaged(trx: Trx, folder: string): Promise<void> {
  const findings = new Findings();
  await checkSqliteFile(trx, findings);
  const [first] = findings.problems();
  if (!first) return;
  throw new AppError(
    'invalid',
    `The database of this moment in "${folder}" is damaged (${first.message}). Choose an earlier moment. Nothing was changed.`,
  );
}
