import { type Selectable, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { preparedForEach, preparedInsertMany } from '../db/prepared-rows.ts';
import type { PlanRevenueLinesTable, RevenueLinesTable, RevenueMovement } from '../db/schema.ts';
import { continueTotals, NO_NEXT_LINE, totalTypes } from './running-totals.ts';

type PlanRevenueRow = Selectable<PlanRevenueLinesTable>;
type RevenueLineRow = Selectable<RevenueLinesTable>;
type State = Pick<RevenueLineRow, 'state' | 'annual_cents'>;

/** A customer's plan and revenue before and after a line of the ledger. */
export interface PlanRevenueChange {
  from: { id: number } | null;
  to: { id: number } | null;
  before: State | undefined;
  line: RevenueLineRow;
}

const inactive: State = { state: 'inactive', annual_cents: 0 };

/**
 * Records the effect of lines on the revenue of the plan that an active customer leaves, and of the plan that it is on
 * afterwards.
 */
export async function recordPlanRevenue(
  trx: Trx,
  accountId: number,
  changes: readonly PlanRevenueChange[],
): Promise<void> {
  const parts = changes.flatMap(partsOf);
  const last = new Map<number, PlanRevenueRow>();
  for (const planId of new Set(parts.map((part) => part.planId))) {
    const [row] = await findLast(trx, { accountId, planId });
    if (row) last.set(planId, row);
  }
  const rows = new Map<string, PlanRevenueRow>();
  const inserted: PlanRevenueRow[] = [];
  const ended: LineEnd[] = [];
  for (const { planId, line, before, after } of parts) {
    const { line_id: lineId, customer_id: customerId, at } = line;
    const place = `${planId} ${customerId}`;
    const earlier = rows.get(place);
    if (earlier) earlier.next_line_id = lineId;
    // A new customer has no earlier line on the plan.
    else if (line.first_line_id !== lineId) ended.push({ accountId, planId, customerId, lineId });
    const movement = movementOfPlan(after.annual_cents - before.annual_cents, line.movement);
    const row = {
      line_id: lineId,
      plan_id: planId,
      account_id: accountId,
      customer_id: customerId,
      next_line_id: NO_NEXT_LINE,
      at,
      ...continueTotals(last.get(planId), before, { ...after, movement }),
    };
    last.set(planId, row);
    rows.set(place, row);
    inserted.push(row);
  }
  await endLines(trx, ended);
  await insert(trx, inserted);
}

interface PlanPart {
  planId: number;
  line: RevenueLineRow;
  before: State;
  after: State;
}

function partsOf({ from, to, before, line }: PlanRevenueChange): PlanPart[] {
  const left = from && before && before.state !== 'inactive' ? from.id : undefined;
  const entered = to && line.state !== 'inactive' ? to.id : undefined;
  const after = { state: line.state, annual_cents: line.annual_cents };
  const parts: PlanPart[] = [];
  if (left !== undefined)
    parts.push({ planId: left, line, before: before!, after: left === entered ? after : inactive });
  if (entered !== undefined && entered !== left) parts.push({ planId: entered, line, before: inactive, after });
  return parts;
}

/**
 * Returns the kind of change in a plan's revenue: a customer that comes from another paid plan expands it, and one that
 * moves to another paid plan contracts it.
 */
function movementOfPlan(change: number, movement: RevenueMovement | null): RevenueMovement | null {
  if (change === 0) return null;
  if (movement === 'new' || movement === 'churn' || movement === 'reactivation') return movement;
  return change > 0 ? 'expansion' : 'contraction';
}

const types = {
  line_id: 'bigint',
  plan_id: 'bigint',
  account_id: 'bigint',
  customer_id: 'bigint',
  next_line_id: 'bigint',
  at: 'bigint',
  ...totalTypes,
} as const;
const columns = Object.keys(types) as Array<keyof typeof types>;

const insert = preparedInsertMany('plan_revenue_lines', types);

const findLast = prepared<{ accountId: number; planId: number }, PlanRevenueRow>((db, parameter) =>
  db
    .selectFrom('plan_revenue_lines')
    .select(columns)
    .where('account_id', '=', parameter('accountId'))
    .where('plan_id', '=', parameter('planId'))
    .orderBy('at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(sql.lit(1)),
);

interface LineEnd {
  accountId: number;
  planId: number;
  customerId: number;
  lineId: number;
}

/**
 * Sets the next line of each customer's last line on a plan. The last line is looked up by the customer: with
 * `next_line_id`, SQLite reads all lines of the plan. Without the array of line ids, PostgreSQL may read the lines of all
 * plans to join them.
 */
const endLines = preparedForEach<LineEnd>(
  (db, parameter) =>
    db
      .updateTable('plan_revenue_lines')
      .set({ next_line_id: parameter('lineId') })
      .where('plan_id', '=', parameter('planId'))
      .where(
        'line_id',
        '=',
        db
          .selectFrom('plan_revenue_lines as its')
          .select((e) => e.fn.max('its.line_id').as('last'))
          .where('its.account_id', '=', parameter('accountId'))
          .where('its.plan_id', '=', parameter('planId'))
          .where('its.customer_id', '=', parameter('customerId')),
      ),
  (db, rows) => ({
    compile: () =>
      sql`with ended as materialized (
          select "planId", "lineId", (
            select max(line_id) from plan_revenue_lines as its
            where its.account_id = "accountId" and its.plan_id = "planId" and its.customer_id = "customerId"
          ) as last
          from json_to_recordset(cast(${rows} as json))
            as listed ("accountId" bigint, "planId" bigint, "customerId" bigint, "lineId" bigint)
        )
        update plan_revenue_lines as lines set next_line_id = ended."lineId" from ended
        where lines.line_id = any(array(select last from ended))
          and lines.line_id = ended.last and lines.plan_id = ended."planId"`.compile(db),
  }),
);
