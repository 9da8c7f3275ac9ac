import { AsyncLocalStorage } from 'node:async_hooks';
import type { Surface } from '../counts.ts';
import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import type { Trace } from '../trace.ts';

/** How long a query waits for its turn unless the database has another limit. Its request is refused then and may be sent again. */
const MAX_WAIT_MS = 10_000;

interface Work {
  key: FairnessKey | undefined;
  /** Shared by all parts of the work. */
  readonly changes: { areMade: boolean };
  /** Shared by all parts of the work. */
  readonly origin: { surface: Surface };
  /** The request that the work is done for; undefined for what the service does by itself, and for several at once. */
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
 * Calls `work`, and counts the connections that its queries take for the key: an account, or a stranger's network. What it causes
 * carries on the trace: the one it is part of, unless there is another.
 */
export function takeTurnsAs<T>(key: FairnessKey, work: () => T, trace = currentTrace()): T {
  return current.run(workOf(key, trace), work);
}

/**
 * Counts the connections of the request under way for its account, which is known from now on. Another `takeTurnsAs` would take
 * 2 % of a 304.
 */
export function countForAccount(accountId: number): void {
  const work = current.getStore();
  if (work) work.key = accountId;
}

/** Calls `work`, which is done for several accounts: its queries count for none of them, and it is part of no request's trace. */
export function takeTurnsForAll<T>(work: () => T): T {
  return current.run(workOf(undefined, undefined), work);
}

/** Returns the trace of the request that this is done for. The storage is there for turns anyway: another one would cost every request. */
export function currentTrace(): Trace | undefined {
  return current.getStore()?.trace;
}

/** Returns the trace as it is stored with what the request causes: as the header `traceparent`; null for none. */
export function currentTraceparent(): string | null {
  return currentTrace()?.toString() ?? null;
}

/** Notes which surface the request of this work has come to. */
export function noteSurface(surface: Surface): void {
  const work = current.getStore();
  if (work) work.origin.surface = surface;
}

/** Returns the surface whose request this is done for. */
export function currentSurface(): Surface {
  return current.getStore()?.origin.surface ?? 'background';
}

/** Notes that a change of this work has been confirmed by the database. */
export function noteChangeMade(): void {
  const work = current.getStore();
  if (work) work.changes.areMade = true;
}

/** Whether a change of this work has been confirmed before. */
export function hasMadeChange(): boolean {
  return current.getStore()?.changes.areMade ?? false;
}

/** The use of a connection: queries that only read, or a transaction that may change something. */
export type ConnectionUse = 'read' | 'write';

interface TurnsOptions {
  readonly maxWaitMs?: number | undefined;
  /** The name of the queue in the metrics. */
  readonly name?: string;
}

/**
 * Shares the connections of a pool fairly. One key holds at most a third of them, and keys take turns: requests of one account
 * that wait for its lock, or a thousand guesses at passwords, leave connections to everybody else. Work without a key, such as
 * maintenance, is limited by the pool alone. Reading and writing leave a third of the connections to each other: commits that
 * wait for a standby server do not keep anybody from reading. Nor do they keep the account itself from it: its changes, which mostly
 * wait for each other anyway, leave it one connection.
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

  /** Waits until the caller may use one connection. Returns how to give it back. */
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
    const patience = new AbortController();
    const timer = setTimeout(
      () => patience.abort(new Error('timeout exceeded before a connection was free')),
      this.#maxWaitMs,
    );
    const share = this.#byUse[use];
    this.#waiting[use].add(patience);
    try {
      // First the share: a query that waits for it must not hold a connection that the other use could have.
      await share.acquire(key, 1, patience.signal);
      try {
        await this.#all.acquire(key, 1, patience.signal);
      } catch (error) {
        share.release(key, 1);
        throw error;
      }
    } finally {
      clearTimeout(timer);
      this.#waiting[use].delete(patience);
    }
  }

  /** Refuses all queries of this use that wait for their turn. */
  refuseWaiting(use: ConnectionUse, reason: Error): void {
    for (const patience of [...this.#waiting[use]]) patience.abort(reason);
  }
}
