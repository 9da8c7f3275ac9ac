import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Returns SQL for the version after the one in the column: the time in milliseconds, or one more if that is not later. So a
 * number that was assigned before the database lost its last commits, or was set back to an earlier state, is not assigned
 * again.
 */
export function nextVersion(
  column: 'content_version' | 'customers_version',
  now: number | Expression<number>,
): RawBuilder<number> {
  const version = sql.ref(`accounts.${column}`);
  return sql<number>`case when ${version} >= ${now} then ${version} + 1 else ${now} end`;
}
