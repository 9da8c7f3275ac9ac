/**
 * Makes a look-up that callers share: the keys of all who ask before it has begun are looked up together, and each gets
 * an answer found at some moment after they asked. Requests that arrive together thus cost one query.
 * `isWorthAsking` is asked before a key joins; without it there is no answer. One look-up waits for the one before, which
 * gathers more callers, unless they may run `sideBySide`.
 */
export function batchLoader<K, R>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, R>>,
  isWorthAsking: (key: K) => boolean,
  { sideBySide = false } = {},
): (key: K) => Promise<R | undefined> {
  let gathering: Round<K, R> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = async (round: Round<K, R>): Promise<ReadonlyMap<K, R>> => {
    // Whoever is about to ask in this turn of the event loop does so first: see src/http/server.ts.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    // An answer that is already on its way may be older than these questions: wait, and gather more callers meanwhile.
    if (!sideBySide) await running;
    gathering = undefined;
    const answers = ask([...round.keys()]);
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

/** What is asked together: each key with the answer that its callers wait for. */
class Round<K, R> extends Map<K, Promise<R | undefined>> {
  answers: Promise<ReadonlyMap<K, R>> | undefined;
}
