import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInParts } from '../db/delete-in-parts.ts';
import { RateLimited } from '../errors.ts';

/**
 * How guessing is slowed down: so many failures cost nothing, and from there each doubles the wait, from `first` up to
 * `longest`. The count is in the database, so that it holds over processes and restarts.
 */
interface Patience {
  free: number;
  /** Milliseconds, like the next. */
  first: number;
  longest: number;
  /** After so long without a failure they are forgotten; FORGOTTEN_AFTER where it is not given. */
  forgottenAfter?: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** In milliseconds. */
const FORGOTTEN_AFTER = 60 * MINUTE;

const patience = {
  /** Of an address, from wherever. */
  address: { free: 5, first: SECOND, longest: 15 * MINUTE },
  /** Many people may be behind one. */
  network: { free: 20, first: SECOND, longest: 5 * MINUTE },
  /** Whoever rents a server may have 65,536 networks of IPv6; yet a provider may have its customers' phones in as many. */
  site: { free: 200, first: SECOND, longest: MINUTE },
  /** Guesses at one user's password from a network that they have signed in from. */
  known: { free: 5, first: SECOND, longest: 5 * MINUTE },
  /** Of a session: the current password, or a second factor. */
  user: { free: 5, first: SECOND, longest: 15 * MINUTE },
  /**
   * Links for a new password: to an address, as one network asks for them, and for an address's account, as all do. Strangers
   * cannot keep the owner waiting by the first, and hardly by the second: it waits for less than such a link works, so whoever
   * is refused has one.
   */
  forgotten: { free: 3, first: 5 * MINUTE, longest: 60 * MINUTE },
  forgottenByAll: { free: 10, first: 5 * MINUTE, longest: 20 * MINUTE },
  /** Links to a new address. */
  mail: { free: 3, first: 5 * MINUTE, longest: 60 * MINUTE },
  /** Invitations of an account: they go to strangers, with words that its people chose. */
  invitation: { free: 30, first: MINUTE, longest: DAY, forgottenAfter: DAY },
  /** Invitations of an account to one address, and those of all accounts to it. */
  invited: { free: 3, first: DAY, longest: DAY, forgottenAfter: DAY },
  invitedByAll: { free: 10, first: DAY, longest: DAY, forgottenAfter: DAY },
  /** Addresses that a user wants to have instead of theirs: the links go to whomever they name. */
  newAddress: { free: 10, first: MINUTE, longest: DAY, forgottenAfter: DAY },
  /** Messages with links that a network asks for. */
  mailing: { free: 20, first: MINUTE, longest: 15 * MINUTE },
} satisfies Record<string, Patience>;

const patienceWith = (kind: keyof typeof patience): Patience => patience[kind];

export interface AttemptKey {
  kind: keyof typeof patience;
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
    super(`Too many attempts. Try again in ${inWords(retryAfter)}.`, retryAfter);
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
    for (const key of inOrder(keys)) {
      const { failures, failed_at, open_at } = await addFailure(trx, nameOf(key), now);
      if (open_at > now) throw new TooManyAttempts(Math.ceil((open_at - now) / 1000));
      const { forgottenAfter = FORGOTTEN_AFTER, ...waits } = patienceWith(key.kind);
      const count = failed_at <= now - forgottenAfter ? 1 : failures;
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
export async function forgive(
  trx: Trx,
  { all = [], one = [] }: { all?: readonly AttemptKey[]; one?: readonly AttemptKey[] },
): Promise<void> {
  for (const key of inOrder([...all, ...one])) {
    await trx
      .updateTable('sign_in_attempts')
      .set((e) => ({ failures: all.includes(key) ? 0 : e('failures', '-', 1), open_at: 0 }))
      .where('key', '=', nameOf(key))
      .where('failures', '>', 0)
      .execute();
  }
}

/** Removes what counts no more. */
export async function forgetOldAttempts(db: Db): Promise<void> {
  // As long as the longest memory of them all.
  const where = sql`failed_at < ${Date.now() - DAY} and open_at < ${Date.now()}`;
  await deleteInParts(db, { table: 'sign_in_attempts', key: ['key'], where });
}

/** One more failure of the key; the times are those of before. The row is ours until the transaction ends. */
async function addFailure(trx: Trx, key: string, now: number) {
  const { rows } = await sql<{ failures: number; failed_at: number; open_at: number }>`
    insert into sign_in_attempts (key, failures, failed_at, open_at) values (${key}, 1, ${now}, 0)
    on conflict (key) do update set failures = sign_in_attempts.failures + 1
    returning failures, failed_at, open_at`.execute(trx);
  return rows[0]!;
}

function waitAfter(failures: number, { free, first, longest }: Patience): number {
  return failures < free ? 0 : Math.min(longest, first * 2 ** Math.min(failures - free, 30));
}

function inOrder(keys: readonly AttemptKey[]): AttemptKey[] {
  return [...keys].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Bounded, whatever somebody enters for an address. */
function nameOf({ kind, of }: AttemptKey): string {
  return `${kind} ${of}`.slice(0, 400);
}

export function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 99) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
