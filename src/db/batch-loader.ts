import { takeTurnsForAll } from './connection-turns.ts';

/**
 * Returns a lookup function that batches its callers. Keys that are asked for before a query starts are looked up together,
 * so requests that arrive together cost one query. Each caller gets a value that was read after its call. A key that
 * `isWorthAsking` rejects resolves to undefined. A batch waits for the previous one, which lets more callers join, unless
 * batches may run `sideBySide`.
 */
export function batchLoader<K, R>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, R>>,
  { isWorthAsking = () => true, sideBySide = false }: BatchOptions<K> = {},
): (key: K) => Promise<R | undefined> {
  let gathering: Round<K, R> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = async (round: Round<K, R>): Promise<ReadonlyMap<K, R>> => {
    // Lets every caller in this turn of the event loop join the batch first: see src/http/server.ts.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // A running query may have started before these keys were asked for: wait for it. More callers may join meanwhile.
    if (!sideBySide) await running;
    gathering = undefined;
    // The batch has keys of several accounts, so it must not wait for one account's share of the connections.
    const answers = takeTurnsForAll(() => ask([...round.keys()]));
    running = answers.catch(() => {});
    return answers;
  };

  return (key) => {
    const found = gathering?.get(key);
    if (found) return found;
    if (!isWorthAsking(key)) return Promise.resolve(undefined);
    if (!gathering) {
      gathering = new Round();
      gathering.answers = begin(gathering);
    }
    const answer = gathering.answers!.then((answers) => answers.get(key));
    gathering.set(key, answer);
    return answer;
  };
}

interface BatchOptions<K> {
  isWorthAsking?: (key: K) => boolean;
  sideBySide?: boolean;
}

/** One batch: each key, and the promise that its callers wait for. */
class Round<K, R> extends Map<K, Promise<R | undefined>> {
  answers: Promise<ReadonlyMap<K, R>> | undefined;
}
