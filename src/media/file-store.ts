import { randomBytes } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { KeyPair, MediaStore, StoredFile } from './store.ts';

/** Returns a store of images as files in the folder `media` of DATA_DIR. */
export function fileStore(dataDir: string): MediaStore {
  const root = join(dataDir, 'media');
  return {
    put: (key, bytes) => putFile(root, join(root, key), bytes),
    copy: (pairs) => linkFiles(root, pairs),
    open: (key) => openFile(join(root, key)),
    async remove(keys) {
      for (const key of keys) await rm(join(root, key), { force: true });
      for (const folder of new Set(keys.map((key) => join(root, dirname(key))))) {
        // Succeeds only if the folder is empty.
        await rmdir(folder).catch(() => {});
      }
    },
    list: () => listFiles(root, ''),
  };
}

/** Writes under a temporary name first, so that a reader never gets a partial file. */
async function putFile(root: string, path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path);
  // Only the service reads the files, for visitors: other users of the machine need no access.
  makeFolder(folder);
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolders(root, [folder]);
}

/**
 * Copies files by hard links, which take no disk space: the content of a key never changes, and a file exists until its last
 * link is removed. Copies the bytes if the file system has no hard links.
 */
async function linkFiles(root: string, pairs: readonly KeyPair[]): Promise<void> {
  const folders = new Set(pairs.map(({ to }) => dirname(join(root, to))));
  for (const folder of folders) makeFolder(folder);
  for (const { from, to } of pairs) {
    const [source, target] = [join(root, from), join(root, to)];
    await link(source, target).catch(async (error: unknown) => {
      if (isMissing(error)) throw error;
      await putFile(root, target, await readFile(source));
    });
  }
  await syncFolders(root, [...folders]);
}

/**
 * Syncs the folders and their parents up to the root: a file survives a power failure only if the entries of all folders on
 * its path are on disk.
 */
async function syncFolders(root: string, folders: readonly string[]): Promise<void> {
  const all = new Set<string>();
  for (const folder of folders) {
    for (let each = folder; ; each = dirname(each)) {
      all.add(each);
      if (each === root) break;
    }
  }
  for (const folder of all) await syncFolder(folder);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function openFile(path: string) {
  try {
    const file = await open(path, 'r');
    return createReadStream(path, { fd: file });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function* listFiles(root: string, below: string): AsyncGenerator<StoredFile> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, below), { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  // Orders entries like S3 orders keys, where a slash follows the name of a folder.
  const nameIn = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  for (const entry of entries.sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))) {
    const key = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(root, key);
    else {
      const found = await stat(join(root, key)).catch(() => undefined);
      if (found) yield { key, bytes: found.size };
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
