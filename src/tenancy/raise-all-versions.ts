/**
 * Raises the versions of all accounts, each above every number that was given out before, and notes that earlier changes can no
 * longer be told: the database has lost its last commits, or was set back to an earlier moment. Answers in caches, here and at
 * clients, are stale then. `execute` runs a statement, in a transaction.
 */
export async function raiseAllVersions(execute: (sql: string) => Promise<unknown>, now: number): Promise<void> {
  // A number from here is no danger, and statements on a new connection have no parameters in common with Kysely's.
  const time = Math.trunc(now);
  const next = (column: string) => `case when ${column} >= ${time} then ${column} + 1 else ${time} end`;
  await execute(
    `update accounts set content_version = ${next('content_version')}, customers_version = ${next('customers_version')},
      changes_known_from = ${next('content_version')}, content_changed_at = ${time}`,
  );
}
