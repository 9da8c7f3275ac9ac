import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from './errors.ts';
import { fileProblemOf, isFileError } from './file-problem.ts';

/**
 * Writes a file, which replaces an older one of its name only when it is complete and on disk. `write` gets the path of a file that does
 * not exist yet, and makes it readable by its owner only. `noun` is what it is: "backup".
 * @throws AppError `invalid` if there can be no such file
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
    // Where it cannot be deleted either, what happened first is what to tell.
    await rm(unfinished, { force: true }).catch(() => {});
    throw isFileError(error)
      ? new AppError('invalid', `The ${noun} cannot be written: ${fileProblemOf(error)}.`)
      : error;
  }
}

async function checkTarget(file: string, noun: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // With other programs - is a pipe: it would get a sentence, and the content be in a file of that name.
  if (file === '-' || (found && !found.isFile()))
    throw new AppError('invalid', `"${file}" is not a file, as the ${noun} has to be.`);
  const folder = dirname(file);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new AppError('invalid', `The ${noun} cannot be written: there is no folder "${folder}". Create it first.`);
}

/** The new name is on disk only once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
