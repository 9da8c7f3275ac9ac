import { reasonOf } from './errors.ts';

/** The reasons by Node's error codes, for errors without a path too. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full. Free some space',
  EDQUOT: 'the quota of this user on the disk is used up. Free some space',
};

const REASONS_WITH_PATH: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `"${path}" does not exist`,
  EISDIR: (path) => `"${path}" is a folder`,
  EACCES: (path) => `this user has no permission for "${path}"`,
  EPERM: (path) => `this user has no permission for "${path}"`,
  ENOTDIR: (path) => `a part of "${path}" is a file, not a folder`,
  EROFS: (path) => `"${path}" is on a disk that is mounted read-only`,
};

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Returns the operator's words for a file error of the system; for another error, its message. `named` is the path as the
 * operator wrote it, if known.
 */
export function fileProblemOf(error: unknown, named?: string): string {
  if (!isFileError(error)) return reasonOf(error);
  const { code = '', path = named } = error;
  const reason = path === undefined ? undefined : REASONS_WITH_PATH[code]?.(named ?? path);
  return reason ?? REASONS[code] ?? reasonOf(error);
}
