import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { firstFailures } from '../pages/import-pages.ts';
import { type Archive, decodeText, isImageFile, isSystemFile, isTextFile, MAX_FAILURES } from './read-archive.ts';

/**
 * Reads a folder of pages and images like an archive of it. The operator names the folder, so it is trusted. Files and folders
 * whose names begin with a dot are ignored.
 * @throws ValidationError with every file that cannot be a page or an image
 */
export async function readFolder(folder: string): Promise<Archive> {
  const texts = new Map<string, string>();
  const images = new Map<string, Buffer>();
  const failures: FieldError[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(join(folder, sep).length).replaceAll(sep, '/');
    if (!entry.isFile() || /(?:^|\/)\./.test(path) || isSystemFile(path)) continue;
    if (isImageFile(path)) images.set(path, await readFile(file));
    else if (!isTextFile(path)) failures.push({ field: path, code: 'unknown_file_type' });
    else {
      const text = decodeText(await readFile(file));
      if (text === undefined) failures.push({ field: path, code: 'not_utf8' });
      else texts.set(path, text);
    }
  }
  if (failures.length > 0) throw new ValidationError(firstFailures(failures, MAX_FAILURES));
  return { texts, images };
}
