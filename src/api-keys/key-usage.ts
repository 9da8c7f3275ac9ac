import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';

/** How long a key's first use waits for others before they are written together. */
const FLUSH_DELAY_MS = 500;

/** How exact `last_used_at` is for a key that is used all the time. */
const LAST_USED_PRECISION_MS = 60_000;

interface KeyUse {
  accountId: number;
  at: number;
  ip: string;
  /** When it is to be written down. */
  dueAt: number;
}

/**
 * Notes when and from where keys are used, in memory, and writes the notes down together, each key's at most once a
 * minute: a request that reads must not cost a write.
 */
export class KeyUsage {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #used = new Map<number, KeyUse>();
  /** When keys were written down, within the last minute. */
  readonly #lately = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  /** The writing that is under way, or was last. */
  #writing: Promise<void> = Promise.resolve();
  #stopped = false;

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
    const writtenAt = this.#lately.get(keyId);
    const dueAt = Math.max(at + FLUSH_DELAY_MS, writtenAt === undefined ? 0 : writtenAt + LAST_USED_PRECISION_MS);
    this.#used.set(keyId, { accountId, at, ip, dueAt });
    this.#schedule(dueAt);
  }

  /** Resolves once all uses that were due have been written. */
  written(): Promise<void> {
    return this.#writing;
  }

  /** Writes all recorded uses, and no more afterwards. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write([...this.#used]);
  }

  /** Later uses are scheduled after the next write. */
  #schedule(at: number): void {
    if (this.#stopped || at >= this.#timerAt) return;
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
        for (const [keyId, at] of this.#lately) if (at <= now - LAST_USED_PRECISION_MS) this.#lately.delete(keyId);
        let next = Number.POSITIVE_INFINITY;
        for (const { dueAt } of this.#used.values()) next = Math.min(next, dueAt);
        this.#schedule(next);
      });
  }

  /** Writes uses; those that cannot be written stay recorded. */
  async #write(notes: Array<[number, KeyUse]>): Promise<void> {
    if (notes.length === 0) return;
    // Sorted by id everywhere, so that concurrent processes cannot deadlock.
    const uses = notes.map(([keyId, note]) => ({ keyId, ...note, note })).sort((a, b) => a.keyId - b.keyId);
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
    for (const { keyId, at, note: record } of uses) {
      this.#lately.set(keyId, now);
      if (record.at === at) this.#used.delete(keyId);
      else record.dueAt = now + LAST_USED_PRECISION_MS;
    }
  }
}
