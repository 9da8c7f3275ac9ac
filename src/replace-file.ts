import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from './errors.ts';
import { fileProblemOf, isFileError } from './file-problem.ts';

/**
 * Writes a file that replaces an existing one only once it is complete and on disk. `write` gets the path of a file that
 * does not exist yet, and must make it readable by its owner only. `noun` names the content in errors: "backup".
 * @throws AppError `invalid` if the file cannot be written
 */
export async function replaceFile<T>(
  file: string,
  noun: string,
  write: (unfinished: string) => Promise<T>,
): Promise<T> {
  await checkTarget(file, noun);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    const result = await write(unfinished);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    // If deleting fails too, the first error is the one to report.
    await rm(unfinished, { force: true }).catch(() => {});
    throw isFileError(error)
      ? new AppError('invalid', `The ${noun} cannot be written: ${fileProblemOf(error)}.`)
      : error;
  }
}

async function checkTarget(file: string, noun: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // Other programs take "-" for standard output. Here it would create a file of that name.
  if (file === '-' || (found && !found.isFile()))
    throw new AppError('invalid', `"${file}" is not a file, as the ${noun} has to be.`);
  const folder = dirname(file);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new AppError('invalid', `The ${noun} cannot be written: there is no folder "${folder}". Create it first.`);
}

/** Syncs the folder: only then is the new name on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
