import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { RateLimited } from '../errors.ts';

/**
 * How guessing is slowed down: so many failures cost nothing, and from there each doubles the wait, from `first` up to
 * `longest`. The count is in the database, so that it holds over processes and restarts.
 */
interface ThrottlePolicy {
  freeAttempts: number;
  /** Milliseconds, like the next. */
  initialDelayMs: number;
  maxDelayMs: number;
  /** After so long without a failure they are forgotten; DEFAULT_RESET_MS where it is not given. */
  resetAfterMs?: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEFAULT_RESET_MS = 60 * MINUTE_MS;

const policies = {
  /** Of an address, from wherever. */
  address: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 15 * MINUTE_MS },
  /** Many people may be behind one. */
  network: { freeAttempts: 20, initialDelayMs: SECOND_MS, maxDelayMs: 5 * MINUTE_MS },
  /** Whoever rents a server may have 65,536 networks of IPv6; yet a provider may have its customers' phones in as many. */
  site: { freeAttempts: 200, initialDelayMs: SECOND_MS, maxDelayMs: MINUTE_MS },
  /** Guesses at one user's password from a network that they have signed in from. */
  known: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 5 * MINUTE_MS },
  /** Of a session: the current password, or a second factor. */
  user: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 15 * MINUTE_MS },
  /**
   * Links for a new password: to an address, as one network asks for them, and for an address's account, as all do. Strangers
   * cannot keep the owner waiting by the first, and hardly by the second: it waits for less than such a link works, so whoever
   * is refused has one.
   */
  forgotten: { freeAttempts: 3, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 60 * MINUTE_MS },
  forgottenByAll: { freeAttempts: 10, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 20 * MINUTE_MS },
  /** Links to a new address. */
  mail: { freeAttempts: 3, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 60 * MINUTE_MS },
  /** Invitations of an account: they go to strangers, with words that its people chose. */
  invitation: { freeAttempts: 30, initialDelayMs: MINUTE_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** Invitations of an account to one address, and those of all accounts to it. */
  invited: { freeAttempts: 3, initialDelayMs: DAY_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  invitedByAll: { freeAttempts: 10, initialDelayMs: DAY_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** Addresses that a user wants to have instead of theirs: the links go to whomever they name. */
  newAddress: { freeAttempts: 10, initialDelayMs: MINUTE_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** Messages with links that a network asks for. */
  mailing: { freeAttempts: 20, initialDelayMs: MINUTE_MS, maxDelayMs: 15 * MINUTE_MS },
} satisfies Record<string, ThrottlePolicy>;

const policyOf = (kind: keyof typeof policies): ThrottlePolicy => policies[kind];

export interface AttemptKey {
  kind: keyof typeof policies;
  of: string;
}

/** What counts for a network (see `Whence`): half of an IPv6 address is a network, and three quarters of that a site. */
export function networkKeys(network: string): AttemptKey[] {
  const own: AttemptKey = { kind: 'network', of: network };
  return network.includes(':') ? [own, { kind: 'site', of: network.split(':').slice(0, 3).join(':') }] : [own];
}

/** Returns the key for guesses at the current password or second factor of a user. */
export function userKey(userId: number): AttemptKey {
  return { kind: 'user', of: String(userId) };
}

/**
 * Returns the key for a user on a network that they have signed in from. It has the user and not the address: anybody can
 * have an account made for another person's address, and what they do there must not count for the owner.
 */
export function knownKey(network: string, userId: number): AttemptKey {
  return { kind: 'known', of: `${network} ${userId}` };
}

/** Too many attempts; `retryAfter` says in how many seconds there may be another. */
export class TooManyAttempts extends RateLimited {
  constructor(retryAfter: number) {
    super(`Too many attempts. Try again in ${durationInWords(retryAfter)}.`, retryAfter);
    this.name = 'TooManyAttempts';
  }
}

/**
 * Counts an attempt as a failure before it is known whether it is one: of guesses that are made at the same time, none
 * slips through. Whoever was right takes it back with `forgive`.
 * @throws TooManyAttempts when one of the keys has to wait; nothing is counted then.
 */
export async function countAttempt(db: Db, keys: readonly AttemptKey[]): Promise<void> {
  const now = Date.now();
  await db.transaction().execute(async (trx) => {
    // In one order for everybody, so that no two wait for each other.
    for (const key of sortedKeys(keys)) {
      const { failures, failed_at, open_at } = await addFailure(trx, nameOf(key), now);
      if (open_at > now) throw new TooManyAttempts(Math.ceil((open_at - now) / 1000));
      const { resetAfterMs = DEFAULT_RESET_MS, ...waits } = policyOf(key.kind);
      const count = failed_at <= now - resetAfterMs ? 1 : failures;
      await trx
        .updateTable('sign_in_attempts')
        .set({ failures: count, failed_at: now, open_at: now + waitAfter(count, waits) })
        .where('key', '=', nameOf(key))
        .execute();
    }
  });
}

/**
 * Takes back failures: `all` failures of keys that belong to one user, who has just been right, and `one` attempt of keys
 * that others may be guessing with at the same time.
 */
export async function resetAttempts(
  trx: Trx,
  { all = [], one = [] }: { all?: readonly AttemptKey[]; one?: readonly AttemptKey[] },
): Promise<void> {
  for (const key of sortedKeys([...all, ...one])) {
    await trx
      .updateTable('sign_in_attempts')
      .set((e) => ({ failures: all.includes(key) ? 0 : e('failures', '-', 1), open_at: 0 }))
      .where('key', '=', nameOf(key))
      .where('failures', '>', 0)
      .execute();
  }
}

/** Removes what counts no more. */
export async function pruneAttempts(db: Db): Promise<void> {
  // As long as the longest memory of them all.
  const where = sql`failed_at < ${Date.now() - DAY_MS} and open_at < ${Date.now()}`;
  await deleteInBatches(db, { table: 'sign_in_attempts', key: ['key'], where });
}

/** One more failure of the key; the times are those of before. The row is ours until the transaction ends. */
async function addFailure(trx: Trx, key: string, now: number) {
  const { rows } = await sql<{ failures: number; failed_at: number; open_at: number }>`
    insert into sign_in_attempts (key, failures, failed_at, open_at) values (${key}, 1, ${now}, 0)
    on conflict (key) do update set failures = sign_in_attempts.failures + 1
    returning failures, failed_at, open_at`.execute(trx);
  return rows[0]!;
}

function waitAfter(failures: number, { freeAttempts, initialDelayMs, maxDelayMs }: ThrottlePolicy): number {
  return failures < freeAttempts
    ? 0
    : Math.min(maxDelayMs, initialDelayMs * 2 ** Math.min(failures - freeAttempts, 30));
}

function sortedKeys(keys: readonly AttemptKey[]): AttemptKey[] {
  return [...keys].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Bounded, whatever somebody enters for an address. */
function nameOf({ kind, of }: AttemptKey): string {
  return `${kind} ${of}`.slice(0, 400);
}

export function durationInWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 99) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
