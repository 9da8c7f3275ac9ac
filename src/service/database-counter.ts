import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { type Counter, type Grant, WINDOW_MS } from '../http/limits.ts';

/**
 * Counts requests in PostgreSQL, for all machines that share the database. While the database is unreachable, `fallback`
 * counts for this machine alone: rate limiting must not make reads fail.
 */
export class DatabaseCounter implements Counter {
  readonly isRemote = true;
  readonly #db: Db;
  readonly #fallback: Counter;
  #pruneAt = 0;

  constructor(db: Db, fallback: Counter) {
    this.#db = db;
    this.#fallback = fallback;
  }

  async take(name: string, key: string, limit: number, wanted: number): Promise<Grant> {
    try {
      this.#prune();
      // The connection sees a function call that reads, so it is answered even while commits wait for a standby server.
      const { rows } = await sql<{ granted: number; remaining: number; left_ms: number }>`
        select granted, remaining, left_ms
        from take_requests(${`${name} ${key}`}, cast(${limit} as bigint), cast(${wanted} as bigint))`.execute(this.#db);
      const { granted, remaining, left_ms } = rows[0]!;
      return { granted, remaining, resetAt: Date.now() + left_ms };
    } catch {
      // The outage is in the log already, and the request's own queries report it.
      return this.#fallback.take(name, key, limit, wanted);
    }
  }

  /** Deletes the counts of past windows, once a minute. */
  #prune(): void {
    const now = Date.now();
    if (this.#pruneAt > now && this.#pruneAt <= now + WINDOW_MS) return;
    this.#pruneAt = now + WINDOW_MS;
    // If this fails, the rows are deleted a minute later.
    void sql`select forget_requests()`.execute(this.#db).catch(() => {});
  }
}
