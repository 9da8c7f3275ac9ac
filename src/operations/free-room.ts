import { statfs } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { megabytes } from '../megabytes.ts';

/** The space that has to stay free for the service, which writes to the same disk. */
export const MIN_FREE_BYTES = 64 * 1024 * 1024;

/**
 * Checks that the folder's disk has enough free space before anything is written. `what` is the subject of the error
 * message.
 * @throws AppError `unavailable` if fewer than `bytes` bytes are free
 */
export async function checkFreeRoom(
  folder: string,
  bytes: number,
  { what, advice }: { what: string; advice: string },
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new AppError(
    'unavailable',
    `There is too little space in the folder "${folder}": ${what} needs ${megabytes(bytes)} there, and ` +
      `${free === 0 ? 'none' : megabytes(free)} are free. ${advice}`,
  );
}
