import { readFile } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { fileProblemOf } from '../file-problem.ts';

/** Reads a file that the operator names. @throws AppError `not_found` if the file cannot be read */
export async function readNamedFile(name: string): Promise<Buffer> {
  try {
    return await readFile(name);
  } catch (error) {
    throw new AppError('not_found', `The file cannot be read: ${fileProblemOf(error, name)}.`);
  }
}
