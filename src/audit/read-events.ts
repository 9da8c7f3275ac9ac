import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';

/** An entry of an account's log, as programs get it. */
export interface AccountEvent {
  readonly id: number;
  /** The kind of thing and the action: `page.created`. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The actor's name. */
  readonly actor: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The request that did it, as the header `traceparent`; null for none. */
  readonly traceparent: string | null;
}

interface ReadEventsInput {
  /** The id of the last event that is known; 0 for none. */
  after: number;
  /** At most so many; fewer if they have much to say. */
  limit: number;
}

/** How much the details of the events may take that are read at once. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Returns the account's events after that one, in their order. None with a lower id appears later: it waits for transactions that
 * may have got their ids before, and have not committed yet. Each of them refers to the account's row, so that locking the whole row
 * waits for all.
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
  return upTo(MAX_CHARACTERS, rows).map((row) => ({ ...row, details: JSON.parse(row.details) }));
}

/** Returns an event of the account; undefined if there is none with this id, or none any more. */
export async function findEvent(trx: Trx, accountId: number, id: number): Promise<AccountEvent | undefined> {
  const row = await trx
    .selectFrom('audit_log')
    .select(['id', 'action as type', 'at', 'actor', 'subject', 'details', 'traceparent'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, details: JSON.parse(row.details) };
}

/** Returns the id of the account's last event, 0 for none: all that come later have higher ones, as for `readEvents`. */
export async function latestEventId(trx: Trx, accountId: number): Promise<number> {
  await lockWholeAccount(trx, accountId);
  return lastCommittedEventId(trx, accountId);
}

/** Returns the id of the last event that is there, 0 for none. On PostgreSQL, one with a lower id may still appear. */
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

/** Returns the first rows whose details fit, and at least one. */
function upTo<R extends { details: string }>(characters: number, rows: readonly R[]): readonly R[] {
  let size = 0;
  const end = rows.findIndex(({ details }, index) => {
    size += details.length;
    return index > 0 && size > characters;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
