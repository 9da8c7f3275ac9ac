import type { ConnectionUse } from './connection-turns.ts';
import { DatabaseOutage } from './database-outage.ts';

/** A statement or connection attempt that has no answer from the database yet. */
export interface Operation {
  /** True if the answer confirms a change. */
  readonly isCommit: boolean;
  /** Tells the caller that no answer came in time. */
  readonly fail: (error: DatabaseOutage) => void;
  /** Ends the connection on which the answer would come. */
  readonly destroy: () => void;
}

interface Watched extends Operation {
  readonly sentAt: number;
  /** Its position in the order of everything that was sent or confirmed. */
  readonly place: number;
  isAbandoned: boolean;
}

/** The extent of an outage: `silent` if nothing is answered, `commits` if only commits are not. */
export type OutageKind = 'silent' | 'commits';

interface WatchOptions {
  /** How long the database may be silent, and how long a commit may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a statement may take while the database answers others, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Asks the database on a separate connection. Rejects if no answer comes within the time, in milliseconds. */
  readonly probe: (timeoutMs: number) => Promise<void>;
  /** Called when an outage begins, changes or ends. */
  readonly onChange: (outage: OutageKind | undefined) => void;
}

/** The longest interval between two ticks of the watch. */
const TICK_MS = 250;
/** The longest time that a probe waits. A connection attempt that begins while the host is away is slow to notice its return. */
const PROBE_TIMEOUT_MS = 3000;
/** The longest pause between probes. */
const PROBE_INTERVAL_MS = 500;
/**
 * How long a commit without an answer keeps its connection. The server holds a commit that waits for a standby server, even
 * if its client has gone. With a new connection for each attempt, the server would soon have none left.
 */
const MAX_ABANDONED_MS = 60_000;

/**
 * Limits how long the database may take to answer, and notices when it does not answer at all: a host that has gone or a
 * server that has stopped neither answers nor refuses anything. If no connection has heard from the database for
 * `timeoutMs`, including the probe's, everything fails at once until a probe succeeds.
 *
 * An operation that exceeds its time while others are answered fails alone, and its connection is destroyed. A commit keeps
 * its connection, since it may be waiting for a standby server. If no other change was confirmed since the commit was sent,
 * changes fail at once until one is confirmed.
 */
export class PostgresWatch {
  readonly #options: WatchOptions;
  readonly #tickMs: number;
  readonly #operations = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** How long the watch has been running, without the time in which this process was held up, in milliseconds. */
  #now = 0;
  #tickedAt = 0;
  #quietSince = 0;
  #places = 0;
  #lastConfirmed = 0;
  #outage: OutageKind | undefined;
  #isTrialUnderWay = false;
  #isProbing = false;
  #probedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#tickMs = Math.max(10, Math.min(TICK_MS, options.timeoutMs / 20));
  }

  get isSilent(): boolean {
    return this.#outage === 'silent';
  }

  /**
   * Admits a query or a transaction to the database. Returns a function to call when it is done. While commits get no
   * answer, one change at a time is let through to test whether they do again.
   * @throws DatabaseOutage
   */
  admit(use: ConnectionUse): () => void {
    if (this.isSilent) throw new DatabaseOutage({ isKnown: true });
    if (use === 'read' || this.#outage === undefined) return () => {};
    if (this.#isTrialUnderWay || this.#hasAbandoned()) throw new DatabaseOutage({ isKnown: true });
    this.#isTrialUnderWay = true;
    return () => {
      this.#isTrialUnderWay = false;
    };
  }

  /** Starts waiting for an answer. Returns a function to call when it has come (`isHeard`) or the connection is lost. */
  begin(operation: Operation): (isHeard: boolean, isConfirmed?: boolean) => void {
    if (this.#operations.size === 0) this.#quietSince = this.#now;
    const watched = { ...operation, sentAt: this.#now, place: ++this.#places, isAbandoned: false };
    this.#operations.add(watched);
    this.#start();
    return (isHeard, isConfirmed = false) => {
      this.#operations.delete(watched);
      if (isHeard) this.hear();
      if (isConfirmed) this.#confirm();
    };
  }

  /** Records that the database has answered something. */
  hear(): void {
    this.#quietSince = this.#now;
  }

  /** Destroys the connections of all operations that have no answer. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { destroy } of this.#operations) destroy();
  }

  #confirm(): void {
    this.#lastConfirmed = ++this.#places;
    if (this.#outage === 'commits') this.#change(undefined);
  }

  #start(): void {
    if (this.#timer) return;
    this.#tickedAt = performance.now();
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  #tick(): void {
    this.#advance();
    if (this.#operations.size === 0 && !this.isSilent) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const { timeoutMs } = this.#options;
    const quietFor = this.#now - this.#quietSince;
    if (quietFor >= timeoutMs / 5) void this.#probe();
    if (this.isSilent) return;
    if (quietFor >= timeoutMs) this.#fallSilent();
    else this.#expire();
  }

  /** Advances the clock by two ticks at most: a process that was held up may have answers that it has not read yet. */
  #advance(): void {
    const at = performance.now();
    this.#now += Math.min(at - this.#tickedAt, 2 * this.#tickMs);
    this.#tickedAt = at;
  }

  #fallSilent(): void {
    const lost = [...this.#operations];
    this.#operations.clear();
    for (const { isCommit, fail, destroy } of lost) {
      fail(new DatabaseOutage({ mayHaveChanged: isCommit, isKnown: true }));
      destroy();
    }
    this.#change('silent');
  }

  #expire(): void {
    const { timeoutMs, statementTimeoutMs } = this.#options;
    for (const operation of this.#operations) {
      const age = this.#now - operation.sentAt;
      if (age < (operation.isCommit ? timeoutMs : statementTimeoutMs)) continue;
      if (!operation.isAbandoned) this.#abandon(operation);
      if (operation.isCommit && age < timeoutMs + MAX_ABANDONED_MS) continue;
      this.#operations.delete(operation);
      operation.destroy();
    }
  }

  #abandon(operation: Watched): void {
    operation.isAbandoned = true;
    operation.fail(new DatabaseOutage({ mayHaveChanged: operation.isCommit }));
    if (operation.isCommit && this.#lastConfirmed < operation.place) this.#change('commits');
  }

  #hasAbandoned(): boolean {
    for (const { isAbandoned } of this.#operations) if (isAbandoned) return true;
    return false;
  }

  async #probe(): Promise<void> {
    const { probe, timeoutMs } = this.#options;
    if (this.#isProbing || this.#now - this.#probedAt < Math.min(PROBE_INTERVAL_MS, timeoutMs / 10)) return;
    this.#isProbing = true;
    try {
      await probe(Math.min(PROBE_TIMEOUT_MS, timeoutMs / 2));
      this.hear();
      if (this.isSilent) this.#change(undefined);
    } catch {
      // One of the next ticks tries again.
    } finally {
      this.#isProbing = false;
      this.#probedAt = this.#now;
    }
  }

  #change(outage: OutageKind | undefined): void {
    if (outage === this.#outage) return;
    this.#outage = outage;
    if (outage === undefined) this.#lastConfirmed = ++this.#places;
    this.#options.onChange(outage);
  }
}
