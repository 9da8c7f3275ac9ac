import type { Db, Trx } from '../db/database.ts';

/** Selects the account's lines or, with a plan, the lines of that plan's revenue. Both tables have the same columns. */
export function selectRevenueLines(db: Db | Trx, accountId: number, planId: number | undefined) {
  const lines = db.selectFrom('revenue_lines as lines').where('lines.account_id', '=', accountId);
  if (planId === undefined) return lines;
  const ofPlan = db
    .selectFrom('plan_revenue_lines as lines')
    .where('lines.account_id', '=', accountId)
    .where('lines.plan_id', '=', planId);
  return ofPlan as unknown as typeof lines;
}
