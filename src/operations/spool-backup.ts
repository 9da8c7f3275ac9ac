import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import { fileProblemOf, isFileError } from '../file-problem.ts';
import { makeFolder } from '../make-folder.ts';
import { checkFreeRoom, MIN_FREE_BYTES } from './free-room.ts';

const ADVICE = 'Free some space, or save the backup to a file elsewhere and restore that file.';
/** How many bytes are written between checks of the free space. */
const BYTES_BETWEEN_LOOKS = 16 * 1024 * 1024;

/**
 * Copies a backup that can be read only once, such as the output of another program, to a file in the folder, since a
 * restore reads its input twice. The file is unlinked at once, so nothing is left of it however the process ends.
 * @throws AppError `invalid` if the backup cannot be read or written; `unavailable` if there is too little space
 */
export async function spoolBackup(
  source: Readable,
  folder: string,
  minFreeBytes = MIN_FREE_BYTES,
): Promise<FileHandle> {
  makeFolder(folder);
  let file: FileHandle | undefined;
  try {
    const path = join(folder, `backup-${randomUUID()}.spool`);
    const spool = await open(path, 'wx+', 0o600);
    file = spool;
    await rm(path);
    let bytesBeforeLook = 0;
    await pipeline(source, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        bytesBeforeLook -= chunk.length;
        if (bytesBeforeLook < 0) {
          await checkFreeRoom(folder, minFreeBytes, { what: 'the backup, which is checked first,', advice: ADVICE });
          bytesBeforeLook = BYTES_BETWEEN_LOOKS;
        }
        await spool.writeFile(chunk);
      }
    });
    return spool;
  } catch (error) {
    await file?.close();
    throw isFileError(error) ? new AppError('invalid', `The backup cannot be read: ${fileProblemOf(error)}.`) : error;
  }
}
