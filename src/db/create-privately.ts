import { chownSync, closeSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates an empty file that only its owner can read: SQLite would make its files readable for everyone on the machine. An
 * existing file is not even opened, since closing it would release the locks that this process has on it.
 */
export function createPrivately(file: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    const owner = ownerFor(file);
    if (owner) fchownSync(handle, owner.uid, owner.gid);
    closeSync(handle);
  } catch {
    // The file exists, or the code that uses it reports the problem.
  }
}

/** Creates a folder that only its owner can read. @throws if it exists */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  const owner = ownerFor(folder);
  if (owner) chownSync(folder, owner.uid, owner.gid);
}

/**
 * Returns the owner for a file that root creates: the owner of its folder, since otherwise the service could not use the
 * file.
 */
function ownerFor(path: string): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? statSync(dirname(path)) : undefined;
}
