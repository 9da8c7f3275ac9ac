import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';

/** How long a key's first use waits for others, to be written together with them. */
const FLUSH_DELAY_MS = 500;

/** The precision of `last_used_at` for a key in constant use. */
const LAST_USED_PRECISION_MS = 60_000;

interface KeyUse {
  accountId: number;
  at: number;
  ip: string;
  /** The time at which it is due to be written. */
  dueAt: number;
}

/**
 * Records in memory when and from where keys are used, and writes the uses in batches. Each key is written at most once a
 * minute, since a request that only reads must not cost a write each time.
 */
export class KeyUsage {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #used = new Map<number, KeyUse>();
  /** The times of the writes within the last minute, by key. */
  readonly #writtenAt = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** The current write, or the last one. */
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  record(accountId: number, keyId: number, at: number, ip: string): void {
    const seen = this.#used.get(keyId);
    if (seen) {
      seen.at = at;
      seen.ip = ip;
      return;
    }
    const writtenAt = this.#writtenAt.get(keyId);
    const dueAt = Math.max(at + FLUSH_DELAY_MS, writtenAt === undefined ? 0 : writtenAt + LAST_USED_PRECISION_MS);
    this.#used.set(keyId, { accountId, at, ip, dueAt });
    this.#schedule(dueAt);
  }

  /** Resolves once all due uses have been written. */
  written(): Promise<void> {
    return this.#writing;
  }

  /** Writes all recorded uses, and stops recording. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write([...this.#used]);
  }

  /** Schedules a write at the given time, unless an earlier one is scheduled: that one schedules the next. */
  #schedule(at: number): void {
    if (this.#isStopped || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, at - Date.now())).unref();
  }

  #flush(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = Date.now();
    const due = [...this.#used].filter(([, { dueAt }]) => dueAt <= now);
    this.#writing = this.#writing
      .then(() => takeTurnsForAll(() => this.#write(due)))
      .catch((error) => {
        for (const [, record] of due) record.dueAt = now + LAST_USED_PRECISION_MS;
        this.#onError(error);
      })
      .finally(() => {
        for (const [keyId, at] of this.#writtenAt)
          if (at <= now - LAST_USED_PRECISION_MS) this.#writtenAt.delete(keyId);
        let next = Number.POSITIVE_INFINITY;
        for (const { dueAt } of this.#used.values()) next = Math.min(next, dueAt);
        this.#schedule(next);
      });
  }

  /** Writes uses. Uses that cannot be written stay recorded. */
  async #write(entries: Array<[number, KeyUse]>): Promise<void> {
    if (entries.length === 0) return;
    // Sorted by id everywhere, so that concurrent processes cannot deadlock.
    const uses = entries.map(([keyId, record]) => ({ keyId, ...record, record })).sort((a, b) => a.keyId - b.keyId);
    const now = Date.now();
    await this.#db.transaction().execute(async (trx) => {
      for (const { keyId, accountId, at, ip } of uses) {
        await trx
          .updateTable('api_keys')
          .set({ last_used_at: at, last_used_ip: ip })
          .where('account_id', '=', accountId)
          .where('id', '=', keyId)
          .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', at)]))
          .execute();
      }
    });
    for (const { keyId, at, record } of uses) {
      this.#writtenAt.set(keyId, now);
      if (record.at === at) this.#used.delete(keyId);
      else record.dueAt = now + LAST_USED_PRECISION_MS;
    }
  }
}
