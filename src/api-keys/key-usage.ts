import type { Db } from '../db/database.ts';

/** How exact `last_used_at` is, in milliseconds. */
const GRAIN = 60_000;

/**
 * Notes when and from where keys are used, in memory, and writes the notes down together once a minute: a request that reads must
 * not cost a write.
 */
export class KeyUsage {
  readonly #db: Db;
  readonly #used = new Map<number, { accountId: number; at: number; ip: string }>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#timer = setInterval(() => void this.flush().catch(onError), GRAIN).unref();
  }

  note(accountId: number, keyId: number, at: number, ip: string): void {
    const seen = this.#used.get(keyId);
    if (seen) {
      seen.at = at;
      seen.ip = ip;
    } else this.#used.set(keyId, { accountId, at, ip });
  }

  /** Writes down what has been noted; what cannot be written is noted still. */
  async flush(): Promise<void> {
    // In one order everywhere, so that processes that write at the same time cannot lock each other out.
    const notes = [...this.#used].sort(([a], [b]) => a - b);
    if (notes.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      for (const [keyId, { accountId, at, ip }] of notes) {
        await trx
          .updateTable('api_keys')
          .set({ last_used_at: at, last_used_ip: ip })
          .where('account_id', '=', accountId)
          .where('id', '=', keyId)
          .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', at)]))
          .execute();
      }
    });
    for (const [keyId, note] of notes) if (this.#used.get(keyId)?.at === note.at) this.#used.delete(keyId);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
