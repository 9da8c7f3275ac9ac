import { sql } from 'kysely';
import { getCustomer } from '../accounts/change-customer.ts';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';

/** The condition of the index of these events: without it, the seller's whole log would be read. */
const isOfCustomer = sql<boolean>`substr(subject, 1, 9) = 'customer_'`;

/**
 * Returns the events about a customer in the seller's log, the latest first.
 * @throws AppError `not_found` when the seller has no such customer.
 */
export async function listCustomerEvents(
  db: Db | Trx,
  accountId: number,
  { customerId, before, limit }: { customerId: number; before: number | undefined; limit: number },
) {
  await getCustomer(db, accountId, customerId);
  return db
    .selectFrom('audit_log')
    .select(['id', 'actor', 'user_id', 'action', 'details', 'at'])
    .where('account_id', '=', accountId)
    .where(isOfCustomer)
    .where('subject', '=', `customer_${customerId}`)
    .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id', 'desc')
    .limit(limitInIndexOrder(limit))
    .execute();
}
