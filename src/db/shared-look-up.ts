import { setImmediate } from 'node:timers/promises';

/**
 * Makes a look-up that callers share: those who ask for the same key before it has begun get one answer, found at some
 * moment after each of them asked. Requests that arrive together thus cost one query.
 * `isWorthAsking` is asked before anything is begun for a key that nobody waits for; without it there is no answer.
 */
export function sharedLookUp<R>(
  ask: (key: string) => Promise<R | undefined>,
  isWorthAsking: (key: string) => boolean,
): (key: string) => Promise<R | undefined> {
  const waiting = new Map<string, Promise<R | undefined>>();
  const running = new Map<string, Promise<unknown>>();

  const lookUp = async (key: string): Promise<R | undefined> => {
    // Let the event loop hand out what else has arrived.
    await setImmediate();
    // An answer that is already on its way may be older than this question: wait, and gather more callers meanwhile.
    await running.get(key)?.catch(() => {});
    waiting.delete(key);
    const answer = ask(key);
    running.set(key, answer);
    try {
      return await answer;
    } finally {
      if (running.get(key) === answer) running.delete(key);
    }
  };

  return (key) => {
    let found = waiting.get(key);
    if (!found) {
      if (!isWorthAsking(key)) return Promise.resolve(undefined);
      found = lookUp(key);
      waiting.set(key, found);
    }
    return found;
  };
}
