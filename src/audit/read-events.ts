import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';

/** An entry of an account's audit log, as programs get it. */
export interface AccountEvent {
  readonly id: number;
  /** The subject's kind and the action: `page.created`. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The actor's name. */
  readonly actor: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The header `traceparent` of the request that did it; null for none. */
  readonly traceparent: string | null;
}

interface ReadEventsInput {
  /** The id of the last event that the caller has; 0 for none. */
  after: number;
  /** The maximum number of events. Fewer are returned if their details are long. */
  limit: number;
}

/** The most characters of details that are read at once, unless a single event has more. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Returns the account's events after the given one, in order. No event with a lower id appears later: this waits for
 * transactions that may already have got their ids but have not committed yet. Each of them refers to the account's row, so
 * locking the whole row waits for all of them.
 */
export async function readEvents(
  trx: Trx,
  accountId: number,
  { after, limit }: ReadEventsInput,
): Promise<AccountEvent[]> {
  await lockWholeAccount(trx, accountId);
  const rows = await trx
    .selectFrom('audit_log')
    .select(['id', 'action as type', 'at', 'actor', 'subject', 'details', 'traceparent'])
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('account_id')
    .orderBy('id')
    .limit(limitInIndexOrder(limit))
    .execute();
  return limitCharacters(MAX_CHARACTERS, rows).map((row) => ({ ...row, details: JSON.parse(row.details) }));
}

/** Returns an event of the account, or undefined if there is none with this id (any more). */
export async function findEvent(trx: Trx, accountId: number, id: number): Promise<AccountEvent | undefined> {
  const row = await trx
    .selectFrom('audit_log')
    .select(['id', 'action as type', 'at', 'actor', 'subject', 'details', 'traceparent'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, details: JSON.parse(row.details) };
}

/** Returns the id of the account's last event; 0 for none. All later events have higher ids: see `readEvents`. */
export async function latestEventId(trx: Trx, accountId: number): Promise<number> {
  await lockWholeAccount(trx, accountId);
  return lastCommittedEventId(trx, accountId);
}

/** Returns the id of the last committed event; 0 for none. On PostgreSQL, an event with a lower id may still appear. */
export async function lastCommittedEventId(trx: Trx, accountId: number): Promise<number> {
  const latest = await trx
    .selectFrom('audit_log')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('account_id', 'desc')
    .orderBy('id', 'desc')
    .limit(limitInIndexOrder(1))
    .executeTakeFirst();
  return latest?.id ?? 0;
}

/** Returns the first rows: as many as have details of at most `characters` together, but at least one. */
function limitCharacters<R extends { details: string }>(characters: number, rows: readonly R[]): readonly R[] {
  let size = 0;
  const end = rows.findIndex(({ details }, index) => {
    size += details.length;
    return index > 0 && size > characters;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
