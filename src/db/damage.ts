import { reasonOf } from '../errors.ts';
import { fileProblemOf } from '../file-problem.ts';

/** Advice for the operator if SQLite's file is damaged: the end of a sentence. */
export const DAMAGED_FILE_ADVICE =
  'move freehold.db, and freehold.db-wal and freehold.db-shm if they exist, out of the folder, and restore a backup';

/** Returns the message of an error, with advice if SQLite cannot read its file. */
export function databaseReasonOf(error: unknown): string {
  return isUnreadableFile(error) ? `${reasonOf(error)}: ${DAMAGED_FILE_ADVICE}` : fileProblemOf(error);
}

/** Returns true if SQLite cannot read its file: SQLITE_CORRUPT or SQLITE_NOTADB. */
function isUnreadableFile(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  return [11, 26].includes(error.errcode & 0xff);
}
