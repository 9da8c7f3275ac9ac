import { AsyncLocalStorage } from 'node:async_hooks';
import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';

/** How long a query waits for its turn. Its request is refused then and may be sent again. */
const MAX_WAIT_MS = 10_000;

const keys = new AsyncLocalStorage<FairnessKey | undefined>();

/** Calls `work`, and counts the connections that its queries take for the key: an account, or a stranger's network. */
export function takeTurnsAs<T>(key: FairnessKey, work: () => T): T {
  return keys.run(key, work);
}

/** Calls `work`, which is done for several accounts: its queries count for none of them. */
export function takeTurnsForAll<T>(work: () => T): T {
  return keys.run(undefined, work);
}

/**
 * Shares the connections of a pool fairly. One key holds at most a third of them, and keys take turns: requests of one account
 * that wait for its lock, or a thousand guesses at passwords, leave connections to everybody else. Work without a key, such as
 * maintenance, is limited by the pool alone.
 */
export class ConnectionTurns {
  readonly #semaphore: FairSemaphore;
  #keyless = 0;

  constructor(connections: number) {
    this.#semaphore = new FairSemaphore(connections, { maxPerKey: Math.ceil(connections / 3) });
  }

  /** Waits until the caller may use one connection. Returns how to give it back. */
  async take(): Promise<() => void> {
    const key = keys.getStore() ?? `no key ${this.#keyless++}`;
    const patience = new AbortController();
    const timer = setTimeout(
      () => patience.abort(new Error('timeout exceeded before a connection was free')),
      MAX_WAIT_MS,
    );
    try {
      await this.#semaphore.acquire(key, 1, patience.signal);
    } finally {
      clearTimeout(timer);
    }
    return () => this.#semaphore.release(key, 1);
  }
}
