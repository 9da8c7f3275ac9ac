import { takeTurnsForAll } from './connection-turns.ts';

/**
 * Returns a lookup function that batches its callers. Keys that are asked for before a query starts are looked up together,
 * so requests that arrive together cost one query. Each caller gets a value that was read after its call. A key that
 * `isWorthAsking` rejects resolves to undefined. A batch waits for the previous one, which lets more callers join, unless
 * batches `mayOverlap`.
 */
export function batchLoader<K, R>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, R>>,
  { isWorthAsking = () => true, mayOverlap = false }: BatchOptions<K> = {},
): (key: K) => Promise<R | undefined> {
  let pending: Batch<K, R> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const run = async (batch: Batch<K, R>): Promise<ReadonlyMap<K, R>> => {
    // Lets every caller in this turn of the event loop join the batch first: see src/http/server.ts.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // A running query may have started before these keys were asked for: wait for it. More callers may join meanwhile.
    if (!mayOverlap) await running;
    pending = undefined;
    // The batch has keys of several accounts, so it must not wait for one account's share of the connections.
    const answers = takeTurnsForAll(() => load([...batch.keys()]));
    running = answers.catch(() => {});
    return answers;
  };

  return (key) => {
    const found = pending?.get(key);
    if (found) return found;
    if (!isWorthAsking(key)) return Promise.resolve(undefined);
    if (!pending) {
      pending = new Batch();
      pending.answers = run(pending);
    }
    const answer = pending.answers!.then((answers) => answers.get(key));
    pending.set(key, answer);
    return answer;
  };
}

interface BatchOptions<K> {
  isWorthAsking?: (key: K) => boolean;
  mayOverlap?: boolean;
}

/** One batch: each key, and the promise that its callers wait for. */
class Batch<K, R> extends Map<K, Promise<R | undefined>> {
  answers: Promise<ReadonlyMap<K, R>> | undefined;
}
