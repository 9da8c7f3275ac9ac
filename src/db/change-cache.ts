import type { Db } from './database.ts';

/** Looks up a key. Returns the value at once if it is cached, or undefined if there is none. */
export type Lookup<R> = (key: string) => R | undefined | Promise<R | undefined>;

/** Returns a number that changes with every change of the database. */
type StateReader = () => number;

const stateReaders = new WeakMap<object, StateReader>();

/** Registers a function that detects changes of the database more cheaply than a query. */
export function registerChangeCounter(adapter: object, reader: StateReader): void {
  stateReaders.set(adapter, reader);
}

/** The number of keys at which the cache is cleared, which is more than one process uses at a time. */
const MAX_ENTRIES = 10_000;

/**
 * Caches what `find` returns until the database changes or `isValid` rejects the value, for example because it has expired.
 * If the database cannot detect changes, every call runs `find`.
 */
export function cacheUntilWrite<R>(
  db: Db,
  find: (key: string) => Promise<R | undefined>,
  isValid: (answer: R) => boolean = () => true,
): Lookup<R> {
  const stateOf = stateReaders.get(db.getExecutor().adapter);
  if (!stateOf) return find;
  const known = new Map<string, R>();
  let state: number | undefined;

  return (key) => {
    // Read before the query: a change between the two only causes one more query.
    const now = stateOf();
    if (now !== state || known.size >= MAX_ENTRIES) known.clear();
    state = now;
    const answer = known.get(key);
    if (answer !== undefined && isValid(answer)) return answer;
    return find(key).then((found) => {
      if (found !== undefined && state === now) known.set(key, found);
      return found;
    });
  };
}
