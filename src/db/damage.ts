import { reasonOf } from '../errors.ts';
import { fileProblemOf } from '../file-problem.ts';

/** Says what to do where SQLite's file is damaged: the end of a sentence for the operator. */
export const DAMAGED_FILE_ADVICE =
  'move freehold.db, and freehold.db-wal and freehold.db-shm where they are there, out of the folder, and restore a backup';

/** Returns the message of an error; if SQLite cannot read its file, also what to do. */
export function databaseReasonOf(error: unknown): string {
  return isUnreadableFile(error) ? `${reasonOf(error)}: ${DAMAGED_FILE_ADVICE}` : fileProblemOf(error);
}

/** Tells whether SQLite cannot read its file: CORRUPT, NOTADB. */
function isUnreadableFile(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  return [11, 26].includes(error.errcode & 0xff);
}
