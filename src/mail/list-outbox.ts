import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { OutboxTable } from '../db/schema.ts';
import type { OutboxRow } from './outbox.ts';

/** A message as the operator sees it, without its contents. */
export type OutboxListing = Omit<OutboxRow, 'kind' | 'text' | 'html' | 'secret'> & {
  /** The subdomain of the recipient's account. */
  subdomain: string;
};

export interface OutboxFilter {
  status?: OutboxTable['status'];
  accountId?: number;
  /** Only messages with lower ids. */
  before?: number;
  limit: number;
}

/** Returns the messages that match the filter, newest first, without their contents. */
export async function listOutbox(db: Db, filter: OutboxFilter): Promise<OutboxListing[]> {
  let query = db
    .selectFrom('outbox')
    .innerJoin('accounts', 'accounts.id', 'outbox.account_id')
    .select([
      'outbox.id',
      'account_id',
      'subdomain',
      'message_id',
      'from_name',
      'to_name',
      'to_email',
      'reply_to',
      'subject',
      'outbox.status',
      'attempts',
      'due_at',
      'claimed_by',
      'last_error',
      'outbox.created_at',
      'sent_at',
      'outbox.traceparent',
    ])
    .orderBy('outbox.id', 'desc')
    .limit(limitInIndexOrder(filter.limit));
  // A literal: with a parameter, the partial indexes of one status could not be used.
  if (filter.status !== undefined) query = query.where('outbox.status', '=', sql.lit(filter.status));
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  if (filter.before !== undefined) query = query.where('outbox.id', '<', filter.before);
  return query.execute();
}
