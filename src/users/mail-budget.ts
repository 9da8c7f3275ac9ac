import { domainToASCII } from 'node:url';
import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { RateLimited } from '../errors.ts';
import { emailKey } from './create-user.ts';
import { durationInWords } from './throttle.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface MailToCount {
  /** Why the message is mailed: each cause has its own budget. */
  cause: string;
  email: string;
  /** Counts the message for this user and not for the mailbox. */
  userId?: number;
  /** How many messages of this cause a mailbox gets at once, and again over each day; 0 for no limit. */
  perDay: number;
}

/**
 * Counts a message against the budget of its mailbox across all accounts of the installation. Runs in the transaction that
 * queues the message, so that a rollback undoes the count. Returns 0, or the seconds until the budget allows another
 * message; then nothing is counted. Locks the budget's row until the transaction ends, so callers lock accounts first.
 *
 * The row needs only `open_at`, the time at which the budget is full again. Each message moves it by the message's share of
 * a day, and no message may move it beyond a day from now (the generic cell rate algorithm).
 */
export async function reserveMail(trx: Trx, { cause, email, userId, perDay }: MailToCount): Promise<number> {
  if (perDay === 0) return 0;
  const key = `mail ${cause} ${userId === undefined ? mailboxOf(email) : `user ${userId}`}`;
  return reserveShare(trx, { key, count: perDay, periodMs: DAY_MS });
}

/**
 * Counts one use of a budget of `count` uses per period, in the transaction of the use. Returns 0, or the seconds until the
 * budget allows another use; then nothing is counted. Locks the budget's row until the transaction ends.
 */
export async function reserveShare(
  trx: Trx,
  { key, count, periodMs }: { key: string; count: number; periodMs: number },
): Promise<number> {
  const now = Date.now();
  const share = Math.floor(periodMs / count);
  const [counted] = await addShare(trx, { key, now, share, first: now + share, latest: now + periodMs - share });
  if (counted) return 0;
  const { open_at } = await trx
    .selectFrom('sign_in_attempts')
    .select('open_at')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return Math.ceil((open_at + share - periodMs - now) / 1000);
}

/**
 * Counts messages of one cause to several people, like `reserveMail` for each. Returns for each message 0, or the seconds
 * until the budget of its mailbox allows it.
 */
export async function reserveMailToMany(
  trx: Trx,
  { cause, emails, perDay }: { cause: string; emails: readonly string[]; perDay: number },
): Promise<number[]> {
  const waits = emails.map(() => 0);
  if (perDay === 0) return waits;
  const indexesByKey = Map.groupBy(emails.keys(), (index) => `mail ${cause} ${mailboxOf(emails[index]!)}`);
  if (dialectOf(trx) === 'postgres') await addSharesTogether(trx, indexesByKey, perDay);
  for (const [key, indexes] of indexesByKey) {
    for (const index of indexes) waits[index] = await reserveShare(trx, { key, count: perDay, periodMs: DAY_MS });
  }
  return waits;
}

/**
 * Counts all messages to each mailbox that has room for all of its messages, and removes these mailboxes from
 * `indexesByKey`. Uses one statement instead of a round trip for each. Locks the rows in a fixed order, which prevents
 * deadlocks.
 */
async function addSharesTogether(trx: Trx, indexesByKey: Map<string, number[]>, perDay: number): Promise<void> {
  const share = Math.floor(DAY_MS / perDay);
  const wanted = [...indexesByKey].map(([key, indexes]) => ({ key, time: share * indexes.length }));
  const now = Date.now();
  const rows = await addShares(trx, { wanted: JSON.stringify(wanted), now, period: DAY_MS });
  for (const { key } of rows) indexesByKey.delete(key);
}

const addShares = prepared<{ wanted: string; now: number; period: number }, { key: string }>((db, parameter) => ({
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

/** Returns the error for a message beyond its budget. `advice` is a sentence that tells what else the user can do. */
export function mailLimitReached(retryAfter: number, advice?: string): RateLimited {
  const message = `Too many such messages have been sent to this mail address. Try again in ${durationInWords(retryAfter)}.`;
  return new RateLimited(advice === undefined ? message : `${message} ${advice}`, retryAfter);
}

/**
 * Returns the mailbox that receives mail to the address, however the address is spelled: `ann@xn--bcher-kva.example` for
 * `A.nn+shop@BÜCHER.example`. Most providers ignore a tag after a plus sign, and Gmail ignores dots. With a provider that
 * does not, two people may share a budget, which does no harm.
 */
export function mailboxOf(email: string): string {
  const key = emailKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const local = key.slice(0, at).replace(/(?<=.)\+.*/su, '');
  return `${local.replaceAll('.', '')}@${domainToASCII(domain) || domain}`;
}

const addShare = prepared<
  { key: string; now: number; share: number; first: number; latest: number },
  { open_at: number }
>((db, parameter) =>
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
