import { sql } from 'kysely';

/**
 * The seller of a customer, as an expression without an index. By the index of `parent_id`, a database may read all customers
 * of the seller to find one.
 */
export const unindexedSeller = sql<number>`+accounts.parent_id`;
