import type { ConnectionUse } from './connection-turns.ts';
import { DatabaseOutage } from './database-outage.ts';

/** Something that was sent to the database and has no answer yet. */
export interface Operation {
  /** Whether its answer confirms a change. */
  readonly isCommit: boolean;
  /** Tells the caller that there was no answer in time. */
  readonly fail: (error: DatabaseOutage) => void;
  /** Ends the connection on which the answer would come. */
  readonly destroy: () => void;
}

interface Watched extends Operation {
  readonly sentAt: number;
  /** Its place in the order of everything that was sent or answered. */
  readonly place: number;
  isAbandoned: boolean;
}

/** The extent of an outage: nothing is answered, or commits alone are not. */
export type OutageKind = 'silent' | 'commits';

interface WatchOptions {
  /** How long the database may be silent, and a commit may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a statement may take on a database that answers others, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Asks the database on a connection of its own. Rejects if it does not answer within the time, in milliseconds. */
  readonly probe: (timeoutMs: number) => Promise<void>;
  /** Called when an outage begins, changes or ends. */
  readonly onChange: (outage: OutageKind | undefined) => void;
}

/** How often the watch looks at its clock, at most. */
const TICK_MS = 250;
/** How long one probe waits, at most: a connection that is begun while the host is away is slow to notice that it is back. */
const PROBE_TIMEOUT_MS = 3000;
/** The pause between probes, at most. */
const PROBE_INTERVAL_MS = 500;
/**
 * How long a commit without an answer keeps its connection. The server holds a commit that waits for a standby until that is
 * back, even if its client has gone: with a connection for each attempt, the server would soon have none left.
 */
const MAX_ABANDONED_MS = 60_000;

/**
 * Limits how long the database may take to answer, and notices when it does not answer at all: a host that has gone, or a
 * server that has stopped, answers nothing and refuses nothing. Once nothing has been heard on any connection for the time,
 * a probe's own among them, everything fails at once until a probe succeeds.
 *
 * An operation that exceeds its time while others are answered fails alone, and its connection is destroyed. A commit keeps
 * its connection: it may be waiting for a standby server. If no other change has been confirmed meanwhile, changes fail at
 * once until one is.
 */
export class PostgresWatch {
  readonly #options: WatchOptions;
  readonly #tickMs: number;
  readonly #operations = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** The time for which the watch was running and this process was not held up, in milliseconds. */
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
   * Admits something to the database. Returns what to call when it is done. While commits have no answer, one change at a time
   * is let through to try whether they have one again.
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

  /** Begins to wait for an answer. Returns what to call when it has come (`isHeard`) or the connection is lost. */
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

  /** Notes that the database has answered something. */
  hear(): void {
    this.#quietSince = this.#now;
  }

  /** Ends everything that has no answer. */
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

  /** A process that was held up may have answers that it has not read yet. */
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
      // Tried again with one of the next ticks.
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
