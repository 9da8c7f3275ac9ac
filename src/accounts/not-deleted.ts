import { sql } from 'kysely';

/**
 * Excludes deleted customers, including those that can still be restored. The condition is the same as in the indexes of
 * customers, and differs from that of all other queries, so that PostgreSQL uses these indexes for nothing else.
 */
export const isNotDeleted = sql<boolean>`coalesce(accounts.deleted_at, accounts.deletes_at, 0) = 0`;

/**
 * Excludes deleted customers like `isNotDeleted`, for queries that find customers by their ids. With the condition of the
 * indexes, PostgreSQL may read a whole index for a few ids, because it estimates that few customers match.
 */
export const isNotDeletedById = sql<boolean>`coalesce(accounts.deleted_at, accounts.deletes_at) is null`;
