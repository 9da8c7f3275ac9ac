import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { Refusal } from '../refusal.ts';

/**
 * Checks that the account has no customers. The caller has locked the account, so that it cannot get any.
 * @throws AppError `conflict`
 */
export async function refuseWithCustomers(trx: Trx, accountId: number): Promise<void> {
  const sellers = await findSellers(trx, [accountId]);
  if (sellers.has(accountId)) throw new Refusal('conflict', { reason: 'customer_has_customers' });
}

/** Returns which of the accounts have customers. */
export async function findSellers(trx: Trx, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (accountIds.length === 0) return new Set();
  const ids = JSON.stringify(accountIds);
  // Looks for the lowest plan, which is the first entry of an index. If it looked for any customer, PostgreSQL might read
  // all accounts.
  const { rows } = await sql<{ id: number }>`
    select listed.id from ${idRows(trx, sql.val(ids))}
    where (select min(plan_id) from accounts where parent_id = listed.id and deleted_at is null) is not null`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}
