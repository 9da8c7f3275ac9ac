import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../errors.ts';

/** The folders in DATA_DIR that are deleted when a snapshot or a restore begins: one may be left from before. */
export const snapshotFolder = (dataDir: string): string => join(resolve(dataDir), 'continuous-backup-snapshot');
export const restoreFolder = (dataDir: string): string => join(resolve(dataDir), 'continuous-backup-restore');

/** @throws AppError `invalid` if the backup is, or is in, a folder that would be deleted */
export function checkBackupFolder(folder: string, dataDir: string): void {
  const backup = `${realPath(folder)}/`;
  for (const own of [snapshotFolder(dataDir), restoreFolder(dataDir)]) {
    if (!backup.startsWith(`${realPath(own)}/`)) continue;
    throw new AppError(
      'invalid',
      `The backup cannot be in "${own}", which the service deletes when it makes a copy. Choose a folder on another disk.`,
    );
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is not there yet.
    return resolve(path);
  }
}
