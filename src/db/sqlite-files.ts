import { statSync } from 'node:fs';

/** The suffixes of the database file and of the files that SQLite keeps beside it while a connection is open. */
const suffixes = ['', '-wal', '-shm'] as const;

/**
 * Checks whether the open files are still at their paths. After they were moved, removed or replaced, SQLite goes on writing
 * to files that can no longer be reached, and the next process that opens the path gets different ones.
 */
export class OpenFiles {
  readonly #files: ReadonlyArray<readonly [path: string, identity: string | undefined]>;

  /** Records the identity of the files. A connection must have read from the database before, which opens all of them. */
  constructor(file: string) {
    this.#files = suffixes.map((suffix) => [file + suffix, identityOf(file + suffix)]);
  }

  /** Returns which file is no longer the open one, and why, or undefined if all are in place. Takes some microseconds. */
  findLost(): string | undefined {
    for (const [path, identity] of this.#files) {
      let now: string | undefined;
      try {
        now = identityOf(path);
      } catch {
        // The file cannot be examined, for example without permission. If anything is wrong, SQLite will report it.
        continue;
      }
      if (now === undefined) return `${path} was removed or moved away`;
      if (now !== identity) return `${path} was replaced by another file`;
    }
    return undefined;
  }
}

/** Returns the device and inode of a file, or undefined if it does not exist. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
