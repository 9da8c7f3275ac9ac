import { statSync } from 'node:fs';

/** What SQLite keeps beside the database file while somebody has it open, and the file itself. */
const suffixes = ['', '-wal', '-shm'] as const;

/**
 * Tells whether the files that are open are still those at their paths. Where they were moved, removed or replaced, SQLite
 * goes on writing to files that nobody will find again, and whoever opens the path next has others.
 */
export class OpenFiles {
  readonly #files: ReadonlyArray<readonly [path: string, identity: string | undefined]>;

  /** To be made when a connection has read, and thereby opened all of them. */
  constructor(file: string) {
    this.#files = suffixes.map((suffix) => [file + suffix, identityOf(file + suffix)]);
  }

  /** Says which file is not the open one any more, and what became of it; undefined while all are. Some microseconds. */
  findLost(): string | undefined {
    for (const [path, identity] of this.#files) {
      let now: string | undefined;
      try {
        now = identityOf(path);
      } catch {
        // Nothing is known, as for want of permission: SQLite will say what is wrong, if anything is.
        continue;
      }
      if (now === undefined) return `${path} was removed or moved away`;
      if (now !== identity) return `${path} was replaced by another file`;
    }
    return undefined;
  }
}

/** undefined where there is no file. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
