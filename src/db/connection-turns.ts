import { AsyncLocalStorage } from 'node:async_hooks';
import type { Surface } from '../counts.ts';
import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import type { Trace } from '../trace.ts';

/** How long a query waits for a connection by default. Its request is refused after that and may be sent again. */
const MAX_WAIT_MS = 10_000;

interface Work {
  key: FairnessKey | undefined;
  /** Shared by all parts of one request. */
  readonly changes: { areMade: boolean };
  /** Shared by all parts of one request. */
  readonly origin: { surface: Surface };
  /** The trace of the request that the work belongs to; undefined for background work and for work shared by several requests. */
  readonly trace: Trace | undefined;
}

const current = new AsyncLocalStorage<Work>();

const workOf = (key: FairnessKey | undefined, trace: Trace | undefined): Work => ({
  key,
  changes: current.getStore()?.changes ?? { areMade: false },
  origin: current.getStore()?.origin ?? { surface: 'background' },
  trace,
});

/**
 * Calls `work`, and counts the connections that its queries take against `key`: an account, or the network of an anonymous
 * client. The work continues the current trace, unless the caller passes another.
 */
export function takeTurnsAs<T>(key: FairnessKey, work: () => T, trace = currentTrace()): T {
  return current.run(workOf(key, trace), work);
}

/**
 * Counts the connections of the current request against its account, which is known from now on. A nested `takeTurnsAs`
 * would take 2 % of the time of a 304 response.
 */
export function countForAccount(accountId: number): void {
  const work = current.getStore();
  if (work) work.key = accountId;
}

/** Calls `work`, which serves several accounts: its queries count against none of them, and belong to no request's trace. */
export function takeTurnsForAll<T>(work: () => T): T {
  return current.run(workOf(undefined, undefined), work);
}

/**
 * Returns the trace of the current request. It shares the storage of the turns, since a second one would slow down every
 * request.
 */
export function currentTrace(): Trace | undefined {
  return current.getStore()?.trace;
}

/** Returns the current trace as a `traceparent` header, the form in which it is stored; null if there is none. */
export function currentTraceparent(): string | null {
  return currentTrace()?.toString() ?? null;
}

/** Records which surface the current request has come to. */
export function recordSurface(surface: Surface): void {
  const work = current.getStore();
  if (work) work.origin.surface = surface;
}

/** Returns the surface of the current request, or `background`. */
export function currentSurface(): Surface {
  return current.getStore()?.origin.surface ?? 'background';
}

/** Records that the database has confirmed a change of the current request. */
export function recordChangeMade(): void {
  const work = current.getStore();
  if (work) work.changes.areMade = true;
}

/** True if the database has confirmed a change of the current request. */
export function hasMadeChange(): boolean {
  return current.getStore()?.changes.areMade ?? false;
}

/** What a connection is used for: queries that only read, or a transaction that may change something. */
export type ConnectionUse = 'read' | 'write';

interface TurnsOptions {
  readonly maxWaitMs?: number | undefined;
  /** The name of the queue in the metrics. */
  readonly name?: string;
}

/**
 * Shares the connections of a pool fairly. One key holds at most a third of them, and keys take turns. An account whose
 * requests wait for its lock, or a thousand password guesses, thus leave connections to everyone else. Work without a key,
 * such as maintenance, is limited by the pool alone.
 *
 * Reads and writes leave a third of the connections to each other: commits that wait for a standby server do not block
 * reads. The writes of one key leave it one connection for reads. They mostly wait for each other anyway.
 */
export class ConnectionTurns {
  readonly #all: FairSemaphore;
  readonly #byUse: Readonly<Record<ConnectionUse, FairSemaphore>>;
  readonly #waiting: Readonly<Record<ConnectionUse, Set<AbortController>>> = { read: new Set(), write: new Set() };
  readonly #maxWaitMs: number;
  #keyless = 0;

  constructor(connections: number, { maxWaitMs = MAX_WAIT_MS, name = 'connections' }: TurnsOptions = {}) {
    const third = Math.ceil(connections / 3);
    const share = (maxPerKey: number) => new FairSemaphore(Math.max(1, connections - third), { maxPerKey });
    this.#all = new FairSemaphore(connections, { maxPerKey: third, name });
    this.#byUse = { read: share(third), write: share(Math.max(1, third - 1)) };
    this.#maxWaitMs = maxWaitMs;
  }

  /** Waits until the caller may use a connection. Returns a function that releases it. */
  async take(use: ConnectionUse): Promise<() => void> {
    const key = current.getStore()?.key ?? `no key ${this.#keyless++}`;
    if (!this.#takeAtOnce(key, use)) await this.#wait(key, use);
    return () => {
      this.#all.release(key, 1);
      this.#byUse[use].release(key, 1);
    };
  }

  #takeAtOnce(key: FairnessKey, use: ConnectionUse): boolean {
    const share = this.#byUse[use];
    if (!share.tryAcquire(key, 1)) return false;
    if (this.#all.tryAcquire(key, 1)) return true;
    share.release(key, 1);
    return false;
  }

  async #wait(key: FairnessKey, use: ConnectionUse): Promise<void> {
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new Error('timeout exceeded before a connection was free')),
      this.#maxWaitMs,
    );
    const share = this.#byUse[use];
    this.#waiting[use].add(timeout);
    try {
      // The share comes first: a query that waits for it must not hold a connection that the other use could have.
      await share.acquire(key, 1, timeout.signal);
      try {
        await this.#all.acquire(key, 1, timeout.signal);
      } catch (error) {
        share.release(key, 1);
        throw error;
      }
    } finally {
      clearTimeout(timer);
      this.#waiting[use].delete(timeout);
    }
  }

  /** Refuses all waiting queries of this use. */
  refuseWaiting(use: ConnectionUse, reason: Error): void {
    for (const timeout of [...this.#waiting[use]]) timeout.abort(reason);
  }
}
