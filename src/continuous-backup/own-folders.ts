import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../errors.ts';

/**
 * The folders in DATA_DIR for the copies of snapshots and restores. They are deleted at the beginning of each, since a
 * crash may have left one.
 */
export const snapshotFolder = (dataDir: string): string => join(resolve(dataDir), 'continuous-backup-snapshot');
export const restoreFolder = (dataDir: string): string => join(resolve(dataDir), 'continuous-backup-restore');

/** Checks that the backup is not in a folder that the service deletes. @throws AppError `invalid` if it is */
export function checkBackupFolder(folder: string, dataDir: string): void {
  const backup = `${realPath(folder)}/`;
  for (const own of [snapshotFolder(dataDir), restoreFolder(dataDir)]) {
    if (!backup.startsWith(`${realPath(own)}/`)) continue;
    throw new AppError(
      'invalid',
      `The backup cannot be in "${own}", which the service deletes before it makes a copy. Choose a folder on another disk.`,
    );
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The path does not exist yet.
    return resolve(path);
  }
}
