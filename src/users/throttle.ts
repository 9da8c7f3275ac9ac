import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { RateLimited } from '../errors.ts';

/**
 * How guessing is slowed down: the first failures cost nothing, then each one doubles the wait, from `initialDelayMs` up to
 * `maxDelayMs`. The count is in the database, so it holds across processes and restarts.
 */
interface ThrottlePolicy {
  freeAttempts: number;
  initialDelayMs: number;
  maxDelayMs: number;
  /** Failures are forgotten after this time without another failure; DEFAULT_RESET_MS by default. */
  resetAfterMs?: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEFAULT_RESET_MS = 60 * MINUTE_MS;

const policies = {
  /** Sign-ins with one address, from any network. */
  address: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 15 * MINUTE_MS },
  /** Sign-ins from one network, which many people may share. */
  network: { freeAttempts: 20, initialDelayMs: SECOND_MS, maxDelayMs: 5 * MINUTE_MS },
  /**
   * Sign-ins from one IPv6 site. A rented server may have 65,536 networks; but a provider may give as many to its customers'
   * phones.
   */
  site: { freeAttempts: 200, initialDelayMs: SECOND_MS, maxDelayMs: MINUTE_MS },
  /**
   * Sign-ins from one network that name no account. Only a sign-in by a user who has proved the address takes its count back.
   * A stranger can have accounts made for many addresses, and each of their passwords is also a guess at the
   * password of the address's owner.
   */
  unnamed: { freeAttempts: 100, initialDelayMs: SECOND_MS, maxDelayMs: 5 * MINUTE_MS },
  /** Guesses at one user's password from a network that the user has signed in from. */
  known: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 5 * MINUTE_MS },
  /** Guesses within a session: at the current password, or at a second factor. */
  user: { freeAttempts: 5, initialDelayMs: SECOND_MS, maxDelayMs: 15 * MINUTE_MS },
  /**
   * Links for a new password: per address and network (`forgotten`), and per account of the address and host over all
   * networks (`forgottenByAll`). Strangers cannot delay the owner by the first limit, and hardly by the second. Its longest
   * wait is shorter than such a link is valid, so a user who is refused has a working link.
   */
  forgotten: { freeAttempts: 3, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 60 * MINUTE_MS },
  forgottenByAll: { freeAttempts: 10, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 20 * MINUTE_MS },
  /** Links that confirm a new address. The keys of mail budgets (`reserveMail`) are in the same table and begin with "mail". */
  confirmation: { freeAttempts: 3, initialDelayMs: 5 * MINUTE_MS, maxDelayMs: 60 * MINUTE_MS },
  /** Invitations by one account: they go to strangers, with a text that its users chose. */
  invitation: { freeAttempts: 30, initialDelayMs: MINUTE_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** Invitations to one address, by one account and by all accounts. */
  invited: { freeAttempts: 3, initialDelayMs: DAY_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  invitedByAll: { freeAttempts: 10, initialDelayMs: DAY_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** New addresses that one user asks for: the links go to any address that the user enters. */
  newAddress: { freeAttempts: 10, initialDelayMs: MINUTE_MS, maxDelayMs: DAY_MS, resetAfterMs: DAY_MS },
  /** Messages with links that one network asks for. */
  mailing: { freeAttempts: 20, initialDelayMs: MINUTE_MS, maxDelayMs: 15 * MINUTE_MS },
} satisfies Record<string, ThrottlePolicy>;

const policyOf = (kind: keyof typeof policies): ThrottlePolicy => policies[kind];

export interface AttemptKey {
  kind: keyof typeof policies;
  subject: string;
}

/**
 * Returns the keys for a network (see `ClientInfo`). An IPv6 network is a /64, and its
 * site is the /48 around it.
 */
export function networkKeys(network: string): AttemptKey[] {
  const own: AttemptKey = { kind: 'network', subject: network };
  return network.includes(':') ? [own, { kind: 'site', subject: network.split(':').slice(0, 3).join(':') }] : [own];
}

/** Returns the key for guesses at the current password or second factor of a user. */
export function userKey(userId: number): AttemptKey {
  return { kind: 'user', subject: String(userId) };
}

/**
 * Returns the key for a user on a network that the user has signed in from. It names the user, not the address: anybody can
 * have an account made for another person's address, and attempts there must not count against the owner.
 */
export function knownKey(network: string, userId: number): AttemptKey {
  return { kind: 'known', subject: `${network} ${userId}` };
}

/** Thrown for too many attempts. `retryAfter` is the number of seconds until another attempt is allowed. */
export class TooManyAttempts extends RateLimited {
  constructor(retryAfter: number) {
    super(`Too many attempts. Try again in ${durationInWords(retryAfter)}.`, retryAfter);
    this.name = 'TooManyAttempts';
  }
}

/**
 * Counts an attempt as a failure before its outcome is known, so that concurrent guesses cannot evade the limit. A
 * successful attempt takes the failure back with `resetAttempts`.
 * @throws TooManyAttempts when one of the keys has to wait; nothing is counted then.
 */
export async function countAttempt(db: Db, keys: readonly AttemptKey[]): Promise<void> {
  const now = Date.now();
  await db.transaction().execute(async (trx) => {
    // Sorts the keys, so that two transactions cannot deadlock.
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
 * Takes back failures: all failures of the keys in `clear`, and one failure of the keys in `decrement`. Keys in `clear`
 * belong to a user who has just succeeded. Others may be guessing with the keys in `decrement` at the same time.
 */
export async function resetAttempts(
  trx: Trx,
  { clear = [], decrement = [] }: { clear?: readonly AttemptKey[]; decrement?: readonly AttemptKey[] },
): Promise<void> {
  for (const key of sortedKeys([...clear, ...decrement])) {
    await trx
      .updateTable('sign_in_attempts')
      .set((e) => ({ failures: clear.includes(key) ? 0 : e('failures', '-', 1), open_at: 0 }))
      .where('key', '=', nameOf(key))
      .where('failures', '>', 0)
      .execute();
  }
}

/** Deletes attempts that no longer count. */
export async function pruneAttempts(db: Db): Promise<void> {
  // A day is the longest reset time of all policies.
  const where = sql`failed_at < ${Date.now() - DAY_MS} and open_at < ${Date.now()}`;
  await deleteInBatches(db, { table: 'sign_in_attempts', key: ['key'], where });
}

/** Counts one more failure of the key and returns the earlier times. The row stays locked until the transaction ends. */
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

/**
 * Returns the key's name in the database. Bounds its length and removes what the database cannot store, whatever was entered
 * as an address.
 */
function nameOf({ kind, subject }: AttemptKey): string {
  return `${kind} ${subject}`.slice(0, 400).replaceAll('\0', '');
}

export function durationInWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 99) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
