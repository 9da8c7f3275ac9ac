import { statfs } from 'node:fs/promises';

/** Returns how many bytes can still be written in the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
