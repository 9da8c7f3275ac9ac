import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db } from '../db/database.ts';
import { keysOf } from '../media/media.ts';
import { replaceFile } from '../replace-file.ts';

const BATCH_SIZE = 100;

interface Folders {
  /** The folder of the images; `to` is that of their copies. */
  from: string;
  to: string;
}

/**
 * Copies the files of images with ids above `after`, unless a copy exists. Image files never change, and copies are never
 * deleted. Returns the id of the last image. The signal stops it between two images.
 */
export async function copyImages(db: Db, folders: Folders, after: number, signal: AbortSignal): Promise<number> {
  // Does not create the parent folders, which may be missing because a disk is not mounted.
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
  // The image was deleted permanently, or its copy exists.
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
