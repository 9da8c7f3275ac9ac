import { lstatSync, rmdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createPrivately, makePrivateFolder } from '../db/create-privately.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { copySqlite, lockFile, measureSqlite } from '../db/sqlite-copy.ts';
import { AppError, reasonOf } from '../errors.ts';
import { checkFreeRoom, MIN_FREE_BYTES } from './free-room.ts';
import { onStopSignal } from './on-stop-signal.ts';

interface SnapshotOptions {
  /** The folder for the copy; defaults to the database's own folder. */
  folder?: string | undefined;
  /** The folder of the file that is made from the copy; undefined if there is none. */
  targetFolder?: string | undefined;
}

/**
 * The extra space for SQLite's log, which grows during the copy: by a quarter of the database if 50 MB a second are written
 * and 200 MB copied.
 */
const LOG_SHARE = 1 / 4;
/** The size of a compressed backup, as a share of the database. */
const BACKUP_SHARE = 1 / 2;

/**
 * Runs the work on a consistent copy of SQLite's database, and deletes the copy. A read transaction as long as a backup
 * would keep SQLite from resetting its log, which would grow with every write. On PostgreSQL, the work runs on the database
 * itself. Passes the time of the copy to the work: it contains all earlier changes.
 * @throws AppError `unavailable` before anything is written if there is too little space; `conflict` if another process is
 * making a copy
 */
export async function onSqliteSnapshot<T>(
  db: Db,
  { folder, targetFolder }: SnapshotOptions,
  work: (db: Db, takenAt: number) => Promise<T>,
): Promise<T> {
  const takenAt = Date.now();
  if (dialectOf(db) !== 'sqlite') return work(db, takenAt);
  const { file, bytes } = await measureSqlite(db);
  const parent = resolve(folder ?? dirname(file));
  const unlock = lock(parent);
  const copy = join(parent, 'backup-snapshot');
  const remove = () => removeCopy(copy);
  try {
    // Removes a copy that a crash has left.
    remove();
    if (statIfExists(copy))
      throw new AppError('invalid', `"${copy}" was not left by an interrupted backup. Rename or remove it.`);
    await checkRoomForCopy(parent, { databaseBytes: bytes, targetFolder });
    const endSignals = onStopSignal(remove);
    try {
      makePrivateFolder(copy);
      const target = join(copy, 'freehold.db');
      createPrivately(target);
      await copySqlite(file, target);
      const copyDb = await openDatabase({ dataDir: copy, databaseUrl: '', databasePool: 1 });
      try {
        return await work(copyDb, takenAt);
      } finally {
        await copyDb.destroy();
      }
    } finally {
      endSignals();
      remove();
    }
  } finally {
    unlock();
  }
}

/** Deletes the files of a copy, and its folder if nothing else is in it. The folder may be in one of the operator's. */
function removeCopy(folder: string): void {
  // A symbolic link may lead to the database itself.
  if (!statIfExists(folder)?.isDirectory()) return;
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(join(folder, `freehold.db${end}`), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // The folder does not exist or is not empty.
  }
}

function statIfExists(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Prevents other processes from making a copy in the folder. Returns a function that releases the lock. */
function lock(folder: string): () => void {
  let unlock: (() => void) | undefined;
  try {
    unlock = lockFile(join(folder, 'backup.lock'));
  } catch (error) {
    throw new AppError(
      'invalid',
      `The database cannot be copied to the folder "${folder}" (${reasonOf(error)}). Choose another folder with --snapshot-folder.`,
    );
  }
  if (!unlock) throw new AppError('conflict', 'Another backup of the database is being made. Wait until it is done.');
  return unlock;
}

/**
 * Checks that the copy and the file made from it fit on the disk.
 * @throws AppError `unavailable` if they do not
 */
export async function checkRoomForCopy(
  folder: string,
  { databaseBytes, targetFolder }: { databaseBytes: number; targetFolder: string | undefined },
): Promise<void> {
  const isSameDisk = targetFolder !== undefined && (await deviceOf(targetFolder)) === (await deviceOf(folder));
  await checkFreeRoom(folder, databaseBytes * (1 + LOG_SHARE + (isSameDisk ? BACKUP_SHARE : 0)) + MIN_FREE_BYTES, {
    what: 'the copy of the database for the backup',
    advice: 'Free some space, or choose another folder with --snapshot-folder.',
  });
}

async function deviceOf(folder: string): Promise<number | undefined> {
  return (await stat(folder).catch(() => undefined))?.dev;
}
