/** The number of requests that were granted and that remain, and when counting starts again (milliseconds since 1970). */
export interface Grant {
  granted: number;
  remaining: number;
  resetAt: number;
}

/** Counts requests within windows of a minute, for all processes of a service. */
export interface Counter {
  /** True if other machines share the counter, so that even a single process takes requests in shares. */
  readonly isRemote?: boolean;
  take(name: string, key: string, limit: number, wanted: number): Grant | Promise<Grant>;
}

export const WINDOW_MS = 60_000;

/** The counter in memory: in the only process, or in the primary of several. */
export class MemoryCounter implements Counter {
  readonly #counts = new Map<string, number>();
  #resetAt = 0;

  take(name: string, key: string, limit: number, wanted: number): Grant {
    const now = Date.now();
    if (isOver(this.#resetAt, now)) {
      this.#counts.clear();
      this.#resetAt = now + WINDOW_MS;
    }
    const id = `${name} ${key}`;
    const taken = this.#counts.get(id) ?? 0;
    const granted = Math.min(wanted, Math.max(0, limit - taken));
    this.#counts.set(id, taken + granted);
    return { granted, remaining: limit - taken - granted, resetAt: this.#resetAt };
  }
}

export interface Verdict {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** The seconds until counting starts again, at least 1. */
  resetIn: number;
}

/**
 * Limits the requests of each key per minute. It takes them from the counter in shares, so that each of several processes
 * asks the primary or the database only now and then. Small limits are taken one by one and are exact. The rest of a share
 * is lost when the minute ends. A limit may therefore be reached up to 5 % early for each machine after the first.
 */
export class RateLimit {
  readonly #name: string;
  readonly #limit: number;
  readonly #share: number;
  readonly #counter: Counter;
  readonly #shares = new Map<string, { left: number; remaining: number; resetAt: number }>();
  /** The keys for which a share has been requested from the counter and has not arrived yet. */
  readonly #asked = new Map<string, Promise<void>>();
  #sweepAt = 0;

  constructor(name: string, limit: number, counter: Counter, processes: number) {
    this.#name = name;
    this.#limit = limit;
    this.#counter = counter;
    const isAlone = processes === 1 && !counter.isRemote;
    this.#share = isAlone ? 1 : Math.max(1, Math.floor(limit / (processes * 20)));
  }

  get enabled(): boolean {
    return this.#limit > 0;
  }

  take(key: string): Verdict | Promise<Verdict> {
    const now = Date.now();
    if (isOver(this.#sweepAt, now)) {
      for (const [id, { resetAt }] of this.#shares) if (isOver(resetAt, now)) this.#shares.delete(id);
      this.#sweepAt = now + WINDOW_MS;
    }
    const share = this.#shares.get(key);
    if (share && !isOver(share.resetAt, now)) {
      if (share.left > 0) {
        share.left -= 1;
        return this.#verdict(true, share.left + share.remaining, share.resetAt);
      }
      // No share is ever given back, so nothing is left until counting starts again.
      if (share.remaining === 0) return this.#verdict(false, 0, share.resetAt);
    }
    // Concurrent requests use one share: if each took its own, a few would use up the minute.
    const asked = this.#asked.get(key);
    if (asked) return asked.then(() => this.take(key));
    const grant = this.#counter.take(this.#name, key, this.#limit, this.#share);
    if (!(grant instanceof Promise)) return this.#use(key, grant);
    const verdict = grant.then((made) => this.#use(key, made));
    if (this.#share > 1) {
      const answered = () => void this.#asked.delete(key);
      this.#asked.set(key, verdict.then(answered, answered));
    }
    return verdict;
  }

  #use(key: string, { granted, remaining, resetAt }: Grant): Verdict {
    // If nothing is left, remember it, so that the counter is not asked again before counting starts again.
    if (this.#share > 1 || granted === 0) this.#shares.set(key, { left: Math.max(0, granted - 1), remaining, resetAt });
    return this.#verdict(granted > 0, Math.max(0, granted - 1) + remaining, resetAt);
  }

  #verdict(isAllowed: boolean, remaining: number, resetAt: number): Verdict {
    const resetIn = Math.max(1, Math.ceil((resetAt - Date.now()) / 1000));
    return { isAllowed, limit: this.#limit, remaining, resetIn };
  }
}

/** Returns whether the time has passed. A time more than a window ahead means that the clock was set back. */
function isOver(end: number, now: number): boolean {
  return end <= now || end > now + WINDOW_MS;
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers, with Retry-After if the limit is reached. */
export function rateLimitHeaders({ isAllowed, limit, remaining, resetIn }: Verdict): string[] {
  const headers = [
    'RateLimit-Policy',
    `"default";q=${limit};w=${WINDOW_MS / 1000}`,
    'RateLimit',
    `"default";r=${remaining};t=${resetIn}`,
  ];
  return isAllowed ? headers : [...headers, 'Retry-After', String(resetIn)];
}
