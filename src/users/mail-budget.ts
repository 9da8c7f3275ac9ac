import { domainToASCII } from 'node:url';
import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { RateLimited } from '../errors.ts';
import { emailKey } from './create-user.ts';
import { durationInWords } from './throttle.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface MailToCount {
  /** Why it is mailed: each cause has a budget of its own. */
  cause: string;
  email: string;
  /** Counts the message for this user and not for the mailbox. */
  userId?: number;
  /** How many messages of this cause a mailbox gets at once, and then again over a day; 0 for no limit. */
  perDay: number;
}

/**
 * Counts a message against the budget of its mailbox, over all accounts of the installation, in the transaction that
 * queues it: what is rolled back is not counted. Returns 0, or for how many seconds the budget is used up; then nothing is
 * counted. The budget's row is locked until the transaction ends, so this comes after the locks of accounts.
 *
 * The row needs only `open_at`, the moment at which the budget is whole again: each message moves it by its share of a
 * day, and none may move it beyond a day from now (the generic cell rate algorithm).
 */
export async function reserveMail(trx: Trx, { cause, email, userId, perDay }: MailToCount): Promise<number> {
  if (perDay === 0) return 0;
  const key = `mail ${cause} ${userId === undefined ? mailboxOf(email) : `user ${userId}`}`;
  return reserveShare(trx, { key, count: perDay, periodMs: DAY_MS });
}

/**
 * Counts one use of a budget of `count` in a period, in the transaction of the use. Returns 0, or for how many seconds the budget
 * is used up; then nothing is counted. The budget's row is locked until the transaction ends.
 */
export async function reserveShare(
  trx: Trx,
  { key, count, periodMs }: { key: string; count: number; periodMs: number },
): Promise<number> {
  const now = Date.now();
  const share = Math.floor(periodMs / count);
  const [taken] = await take(trx, { key, now, share, first: now + share, latest: now + periodMs - share });
  if (taken) return 0;
  const { open_at } = await trx
    .selectFrom('sign_in_attempts')
    .select('open_at')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return Math.ceil((open_at + share - periodMs - now) / 1000);
}

/**
 * Counts messages of one cause to several people, as `reserveMail` does one by one. Returns for each 0, or for how many seconds the
 * budget of its mailbox is used up.
 */
export async function reserveMailToMany(
  trx: Trx,
  { cause, emails, perDay }: { cause: string; emails: readonly string[]; perDay: number },
): Promise<number[]> {
  const waits = emails.map(() => 0);
  if (perDay === 0) return waits;
  const places = Map.groupBy(emails.keys(), (index) => `mail ${cause} ${mailboxOf(emails[index]!)}`);
  if (dialectOf(trx) === 'postgres') await takeTogether(trx, places, perDay);
  for (const [key, indexes] of places) {
    for (const index of indexes) waits[index] = await reserveShare(trx, { key, count: perDay, periodMs: DAY_MS });
  }
  return waits;
}

/**
 * Counts the messages to those mailboxes that have room for all of theirs, in one statement instead of a round trip for each, and
 * removes them from `places`. It locks all rows in one order, which prevents deadlocks.
 */
async function takeTogether(trx: Trx, places: Map<string, number[]>, perDay: number): Promise<void> {
  const share = Math.floor(DAY_MS / perDay);
  const wanted = [...places].map(([key, indexes]) => ({ key, time: share * indexes.length }));
  const now = Date.now();
  const rows = await takeAll(trx, { wanted: JSON.stringify(wanted), now, period: DAY_MS });
  for (const { key } of rows) places.delete(key);
}

const takeAll = prepared<{ wanted: string; now: number; period: number }, { key: string }>((db, parameter) => ({
  compile: () => {
    const [now, period] = [sql`cast(${parameter('now')} as bigint)`, sql`cast(${parameter('period')} as bigint)`];
    return sql<{ key: string }>`
      insert into sign_in_attempts (key, failures, failed_at, open_at)
      select key, 0, ${now}, ${now} + time
      from json_to_recordset(cast(${parameter('wanted')} as json)) as wanted (key text, time bigint)
      where time <= ${period} order by key
      on conflict (key) do update set failed_at = ${now},
        open_at = greatest(sign_in_attempts.open_at, ${now}) + excluded.open_at - ${now}
      where sign_in_attempts.open_at <= ${now} + ${period} - (excluded.open_at - ${now})
      returning key`.compile(db);
  },
}));

/** Returns the error for a message beyond a budget; `advice` is a sentence on what else can be done. */
export function mailLimitReached(retryAfter: number, advice?: string): RateLimited {
  const message = `This mail address has been sent too many such messages. Try again in ${durationInWords(retryAfter)}.`;
  return new RateLimited(advice === undefined ? message : `${message} ${advice}`, retryAfter);
}

/**
 * Returns the mailbox that mail to the address ends up in, however it is written: for `A.nn+shop@BÜCHER.example` that
 * of `ann@xn--bcher-kva.example`. Most providers ignore a tag behind a plus sign, and Gmail ignores dots. If a provider
 * does not, two people share a budget, which does no harm.
 */
export function mailboxOf(email: string): string {
  const key = emailKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const local = key.slice(0, at).replace(/(?<=.)\+.*/su, '');
  return `${local.replaceAll('.', '')}@${domainToASCII(domain) || domain}`;
}

const take = prepared<{ key: string; now: number; share: number; first: number; latest: number }, { open_at: number }>(
  (db, parameter) =>
    db
      .insertInto('sign_in_attempts')
      .values({ key: parameter('key'), failures: 0, failed_at: parameter('now'), open_at: parameter('first') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((e) => ({
            failed_at: parameter('now'),
            open_at: sql<number>`case when ${e.ref('sign_in_attempts.open_at')} > ${parameter('now')}
              then ${e.ref('sign_in_attempts.open_at')} else ${parameter('now')} end + ${parameter('share')}`,
          }))
          .where('sign_in_attempts.open_at', '<=', parameter('latest')),
      )
      .returning('open_at'),
);
