import { sql } from 'kysely';

/**
 * Excludes deleted customers, also those that can be restored. It is written as in the indexes of customers, and unlike in all other queries, so that
 * PostgreSQL uses these indexes for nothing else.
 */
export const isThere = sql<boolean>`coalesce(accounts.deleted_at, accounts.deletes_at, 0) = 0`;

/**
 * Excludes deleted customers, too, in queries that find customers by their ids. With the condition of the indexes, PostgreSQL may read
 * the whole of one for some ids: it takes few customers to be there.
 */
export const isThereById = sql<boolean>`coalesce(accounts.deleted_at, accounts.deletes_at) is null`;
