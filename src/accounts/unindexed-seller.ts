import { sql } from 'kysely';

/**
 * The seller of a customer, as an expression that no index covers. With the index of `parent_id`, a database may read all
 * customers of the seller to find one.
 */
export const unindexedSeller = sql<number>`+accounts.parent_id`;
