import { takeTurnsForAll } from './connection-turns.ts';

/**
 * Returns a look-up that batches its callers: the keys of all who ask before it starts are looked up together, and each
 * caller gets an answer found after they asked. Requests that arrive together thus cost one query. A key that
 * `isWorthAsking` rejects gets no answer. A batch waits for the one before, which gathers more callers, unless batches may run
 * `sideBySide`.
 */
export function batchLoader<K, R>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, R>>,
  { isWorthAsking = () => true, sideBySide = false }: BatchOptions<K> = {},
): (key: K) => Promise<R | undefined> {
  let gathering: Round<K, R> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = async (round: Round<K, R>): Promise<ReadonlyMap<K, R>> => {
    // Lets every caller of this turn of the event loop join first: see src/http/server.ts.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // A running query may be older than these keys: wait for it, and gather more callers until then.
    if (!sideBySide) await running;
    gathering = undefined;
    // One account's turn must not hold up the keys of others.
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

/** One batch: each key with the promise that its callers wait for. */
class Round<K, R> extends Map<K, Promise<R | undefined>> {
  answers: Promise<ReadonlyMap<K, R>> | undefined;
}
