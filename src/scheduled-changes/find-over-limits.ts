import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { PlanRow } from '../plans/plans.ts';
import { exceedsAnyLimit } from '../tenancy/plan-limits.ts';

/** Returns the customers that exceed the plan's limits. Counts only what the plan limits. */
export async function findOverLimits(
  trx: Trx,
  customerIds: readonly number[],
  { max_pages: pages, max_people: people, max_storage_bytes: storage, max_domains: domains }: PlanRow,
): Promise<ReadonlySet<number>> {
  const isOver = exceedsAnyLimit({ pages, people, storage, domains });
  if (!isOver || customerIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select accounts.id from accounts where accounts.id in (${sql.join(customerIds)}) and ${isOver}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
