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

export interface SnapshotOptions {
  /** The folder for the copy; undefined for the one that the database is in. */
  folder?: string | undefined;
  /** The folder of the file that is made of the copy; undefined if there is none. */
  targetFolder?: string | undefined;
}

/** The log grows while the database is copied: by a quarter of it where 50 MB a second are written and 200 MB copied. */
const LOG_SHARE = 1 / 4;
/** The room that a compressed backup takes. */
const BACKUP_SHARE = 1 / 2;

/**
 * Runs the work on a copy of SQLite's database as it is at one moment, and deletes the copy. A transaction that reads for as long
 * as a backup takes would keep the log from starting anew, and it would grow with all that is written meanwhile. PostgreSQL
 * keeps old rows by itself: the work is run on the database. Passes the time on: whatever was changed before is in the copy.
 * @throws AppError `unavailable` before anything is written when there is too little room; `conflict` when another process
 * is making such a copy
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
    // One that was left when the process or the machine came to an end.
    remove();
    if (found(copy))
      throw new AppError('invalid', `"${copy}" is not a copy that a backup has left. Rename or remove it.`);
    await checkRoomForCopy(parent, { databaseBytes: bytes, targetFolder });
    const endSignals = onStopSignal(remove);
    try {
      makePrivateFolder(copy);
      const target = join(copy, 'freehold.db');
      createPrivately(target);
      await copySqlite(file, target);
      const still = await openDatabase({ dataDir: copy, databaseUrl: '', databasePool: 1 });
      try {
        return await work(still, takenAt);
      } finally {
        await still.destroy();
      }
    } finally {
      endSignals();
      remove();
    }
  } finally {
    unlock();
  }
}

/** Deletes the files that a copy has, and its folder if nothing else is there: in a folder of the operator's, it may be theirs. */
function removeCopy(folder: string): void {
  // A link may lead to the database itself.
  if (!found(folder)?.isDirectory()) return;
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(join(folder, `freehold.db${end}`), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // It is not there, or not empty.
  }
}

function found(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Keeps others from making a copy in the folder. Returns what ends that. */
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

/** @throws AppError `unavailable` when the copy and the file that is made of it would fill the disk */
export async function checkRoomForCopy(
  folder: string,
  { databaseBytes, targetFolder }: { databaseBytes: number; targetFolder: string | undefined },
): Promise<void> {
  const isSameDisk = targetFolder !== undefined && (await deviceOf(targetFolder)) === (await deviceOf(folder));
  await checkFreeRoom(folder, databaseBytes * (1 + LOG_SHARE + (isSameDisk ? BACKUP_SHARE : 0)) + MIN_FREE_BYTES, {
    what: 'a copy of the database, which the backup is made of,',
    advice: 'Make room, or choose another folder with --snapshot-folder.',
  });
}

async function deviceOf(folder: string): Promise<number | undefined> {
  return (await stat(folder).catch(() => undefined))?.dev;
}
