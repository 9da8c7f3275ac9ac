import type { Db } from './database.ts';

/** The answer to a key: at once where it is known, and undefined where there is none. */
export type Lookup<R> = (key: string) => R | undefined | Promise<R | undefined>;

/** Tells the states of a database apart: while it tells the same, nobody has changed anything. */
type StateReader = () => number;

const stateReaders = new WeakMap<object, StateReader>();

/** Says that this database can tell, for less than a query costs, whether it has been changed. */
export function registerChangeCounter(adapter: object, reader: StateReader): void {
  stateReaders.set(adapter, reader);
}

/** More than one process is busy with at a time. */
const MAX_ENTRIES = 10_000;

/**
 * Answers again at once what `find` has found, for as long as the database is unchanged and the answer `isRight` (which
 * time may end). Where the database cannot tell, `find` is asked every time.
 */
export function cacheUntilWrite<R>(
  db: Db,
  find: (key: string) => Promise<R | undefined>,
  isRight: (answer: R) => boolean = () => true,
): Lookup<R> {
  const stateOf = stateReaders.get(db.getExecutor().adapter);
  if (!stateOf) return find;
  const known = new Map<string, R>();
  let state: number | undefined;

  return (key) => {
    // Read before anything is asked: a change between the two then only makes us ask once more.
    const now = stateOf();
    if (now !== state || known.size >= MAX_ENTRIES) known.clear();
    state = now;
    const answer = known.get(key);
    if (answer !== undefined && isRight(answer)) return answer;
    return find(key).then((found) => {
      if (found !== undefined && state === now) known.set(key, found);
      return found;
    });
  };
}
