import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPLOAD_FOLDER } from './receive-upload.ts';

/** The age at which an upload counts as abandoned: longer than any upload takes. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the partial uploads of killed processes. Returns how many. Other users may write to the folder for temporary
 * files, so only folders of this process's own user are deleted.
 */
export async function pruneBrokenUploads(): Promise<number> {
  let count = 0;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(UPLOAD_FOLDER)) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (found.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue;
    await rm(path, { recursive: true, force: true });
    count += 1;
  }
  return count;
}
