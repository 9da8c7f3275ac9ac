import { sql } from 'kysely';

/**
 * Excludes deleted customers, also those that can be restored. It is written as in the indexes of customers, and unlike in all other queries, so that
 * PostgreSQL uses these indexes for nothing else.
 */
export const isThere = sql<boolean>`coalesce(accounts.deleted_at, accounts.deletes_at, 0) = 0`;
