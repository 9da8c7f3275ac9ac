/**
 * Raises the versions of all accounts, each above every number that was assigned before, and records that earlier changes
 * can no longer be listed. Used after the database has lost its last commits, or was set back to an earlier state: cached
 * answers, here and at clients, are then stale. `execute` runs a statement in a transaction.
 */
export async function raiseAllVersions(execute: (sql: string) => Promise<unknown>, now: number): Promise<void> {
  // The number is safe in the SQL. Parameters would differ between Kysely and a statement on a new connection.
  const time = Math.trunc(now);
  const next = (column: string) => `case when ${column} >= ${time} then ${column} + 1 else ${time} end`;
  await execute(
    `update accounts set content_version = ${next('content_version')}, customers_version = ${next('customers_version')},
      changes_known_from = ${next('content_version')}, content_changed_at = ${time}`,
  );
}
