import { statfs } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { megabytes } from '../megabytes.ts';

/** The room that has to stay free for the service, which writes to the same disk. */
export const MIN_FREE_BYTES = 64 * 1024 * 1024;

/**
 * Refuses what would fill the disk, before it writes anything. `what` is the subject of a sentence.
 * @throws AppError `unavailable` if fewer bytes than that can still be written in the folder
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
    `There is too little room in the folder "${folder}": ${what} needs ${megabytes(bytes)} there, and ` +
      `${free === 0 ? 'none' : megabytes(free)} are free. ${advice}`,
  );
}
