import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db } from '../db/database.ts';
import { keysOf } from '../media/media.ts';
import { replaceFile } from '../replace-file.ts';

const BATCH_SIZE = 100;

interface Folders {
  /** The folder of the images, and that of their copies. */
  from: string;
  to: string;
}

/**
 * Copies the files of the images that were added after the image with that id, and have no copy yet. Files of images never change, and
 * copies are never deleted. Returns the id of the last image. The caller may stop it between two images.
 */
export async function copyImages(db: Db, folders: Folders, after: number, signal: AbortSignal): Promise<number> {
  // Not with the folders above it: they may be those of a disk that is not mounted.
  if (!(await stat(folders.to).catch(() => undefined))) await mkdir(folders.to, { mode: 0o700 });
  for (let last = after; ; ) {
    const images = await db
      .selectFrom('media')
      .select(['id', 'folder', 'files'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const image of images) {
      if (signal.aborted) return last;
      for (const key of keysOf(image)) await copyOnce(join(folders.from, key), join(folders.to, key));
      last = image.id;
    }
    if (images.length < BATCH_SIZE) return last;
  }
}

async function copyOnce(source: string, target: string): Promise<void> {
  const [found, copied] = await Promise.all([source, target].map((file) => stat(file).catch(() => undefined)));
  // It was deleted for good, or is there already.
  if (!found || found.size === copied?.size) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await replaceFile(target, 'backup', async (unfinished) => {
    await copyFile(source, unfinished);
    const file = await open(unfinished, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  });
}
