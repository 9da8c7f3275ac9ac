import type { Selectable } from 'kysely';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { preparedInsertManyForIds } from '../db/prepared-rows.ts';
import type { PlanChangesTable } from '../db/schema.ts';
import type { PlanRow } from './plans.ts';
import { recordRevenueLines } from './record-revenue-line.ts';

export interface PlanChange {
  customerId: number;
  kind: Selectable<PlanChangesTable>['kind'];
  /** The plan before; null for a customer that is new or was suspended. */
  from: PlanRow | null;
  /** The plan afterwards; null for a customer that is suspended. */
  to: PlanRow | null;
  /** True if the customer is in its trial afterwards. */
  isTrial?: boolean;
  by: Pick<Actor, 'userId'>;
}

/** Writes a line with the current names and prices into the seller's ledger, and records its effect on the revenue. */
export function recordPlanChange(trx: Trx, accountId: number, change: PlanChange): Promise<void> {
  return recordPlanChanges(trx, accountId, [change]);
}

/** Writes lines into the seller's ledger, in their order. The transaction must have raised the seller's customers version. */
export async function recordPlanChanges(trx: Trx, accountId: number, changes: readonly PlanChange[]): Promise<void> {
  const at = Date.now();
  const rows = changes.map(({ customerId, kind, from, to, isTrial, by }) => ({
    account_id: accountId,
    customer_id: customerId,
    kind,
    from_plan_id: from?.id ?? null,
    from_plan_name: from?.name ?? null,
    from_price_cents: from?.price_cents ?? null,
    from_interval: from?.interval ?? null,
    to_plan_id: to?.id ?? null,
    to_plan_name: to?.name ?? null,
    to_price_cents: to?.price_cents ?? null,
    to_interval: to?.interval ?? null,
    actor: by.userId === null ? 'operator' : `user_${by.userId}`,
    created_at: at,
    is_trial: isTrial ? (1 as const) : (0 as const),
  }));
  const ids = await insert(trx, rows);
  const lines = changes.map((change, index) => ({ ...change, id: ids[index]!, at }));
  await recordRevenueLines(trx, accountId, lines);
}

const insert = preparedInsertManyForIds('plan_changes', {
  account_id: 'bigint',
  customer_id: 'bigint',
  kind: 'text',
  from_plan_id: 'bigint',
  from_plan_name: 'text',
  from_price_cents: 'bigint',
  from_interval: 'text',
  to_plan_id: 'bigint',
  to_plan_name: 'text',
  to_price_cents: 'bigint',
  to_interval: 'text',
  actor: 'text',
  created_at: 'bigint',
  is_trial: 'bigint',
});
