import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { Refusal } from '../refusal.ts';

/** @throws AppError `conflict` if the account, which is locked so that it cannot get any, has customers. */
export async function refuseWithCustomers(trx: Trx, accountId: number): Promise<void> {
  const sellers = await findSellers(trx, [accountId]);
  if (sellers.has(accountId)) throw new Refusal('conflict', { reason: 'customer_has_customers' });
}

/** Returns which of the accounts have customers. */
export async function findSellers(trx: Trx, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (accountIds.length === 0) return new Set();
  const ids = JSON.stringify(accountIds);
  // The lowest plan is the first entry of an index. To look for any customer, PostgreSQL may read all accounts.
  const { rows } = await sql<{ id: number }>`
    select listed.id from ${idRows(trx, sql.val(ids))}
    where (select min(plan_id) from accounts where parent_id = listed.id and deleted_at is null) is not null`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}
