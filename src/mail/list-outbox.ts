import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { OutboxTable } from '../db/schema.ts';

/** A message as the operator sees it: everything but what it says. */
export type OutboxListing = Omit<Selectable<OutboxTable>, 'text' | 'html' | 'secret'>;

export interface OutboxFilter {
  status?: OutboxTable['status'];
  accountId?: number;
  limit: number;
}

/** The messages the filter names, newest first, without their text. */
export function listOutbox(db: Db, filter: OutboxFilter): Promise<OutboxListing[]> {
  let query = db
    .selectFrom('outbox')
    .select([
      'id',
      'account_id',
      'message_id',
      'from_name',
      'to_name',
      'to_email',
      'subject',
      'status',
      'attempts',
      'due_at',
      'claimed_by',
      'last_error',
      'created_at',
      'sent_at',
    ])
    .orderBy('id', 'desc')
    .limit(filter.limit);
  // Written out in the statement: with a parameter instead, the indexes of one status could not be used.
  if (filter.status !== undefined) query = query.where('status', '=', sql.lit(filter.status));
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  return query.execute();
}
