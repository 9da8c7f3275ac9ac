import { type Insertable, type Selectable, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { PlanRevenueLinesTable, RevenueLinesTable, RevenueMovement } from '../db/schema.ts';
import { continueTotals, NO_NEXT_LINE, totalColumns } from './running-totals.ts';

type Row = Insertable<PlanRevenueLinesTable>;
type PlanRevenueRow = Selectable<PlanRevenueLinesTable>;
type State = Pick<Selectable<RevenueLinesTable>, 'state' | 'annual_cents'>;

const absent: State = { state: 'inactive', annual_cents: 0 };

/** Records what a line does to the revenue of the plan that the active customer leaves, and of the plan that it is on then. */
export async function recordPlanRevenue(
  trx: Trx,
  { from, to }: { from: { id: number } | null; to: { id: number } | null },
  before: State | undefined,
  line: Insertable<RevenueLinesTable>,
): Promise<void> {
  const left = from && before && before.state !== 'inactive' ? from.id : undefined;
  const entered = to && line.state !== 'inactive' ? to.id : undefined;
  const after = { state: line.state, annual_cents: line.annual_cents };
  if (left !== undefined) await recordRow(trx, left, line, before!, left === entered ? after : absent);
  if (entered !== undefined && entered !== left) await recordRow(trx, entered, line, absent, after);
}

async function recordRow(trx: Trx, planId: number, line: Insertable<RevenueLinesTable>, before: State, after: State) {
  const { line_id: lineId, account_id: accountId, customer_id: customerId, at } = line;
  const [last] = await findLast(trx, { accountId, planId });
  // A new customer has not been on the plan before.
  if (line.first_line_id !== lineId) await endLine(trx, { accountId, planId, customerId, lineId });
  const movement = movementOfPlan(after.annual_cents - before.annual_cents, line.movement ?? null);
  const ids = { line_id: lineId, plan_id: planId, account_id: accountId, customer_id: customerId };
  await insert(trx, {
    ...ids,
    next_line_id: NO_NEXT_LINE,
    at,
    ...continueTotals(last, before, { ...after, movement }),
  });
}

/** Returns the movement of a plan's revenue: a customer that comes from another paid plan expands it, and leaving contracts it. */
function movementOfPlan(change: number, movement: RevenueMovement | null): RevenueMovement | null {
  if (change === 0) return null;
  if (movement === 'new' || movement === 'churn' || movement === 'reactivation') return movement;
  return change > 0 ? 'expansion' : 'contraction';
}

const columns = [
  ...(['line_id', 'plan_id', 'account_id', 'customer_id', 'next_line_id', 'at'] as const),
  ...totalColumns,
];

const insert = prepared<Row, unknown>((db, parameter) =>
  db
    .insertInto('plan_revenue_lines')
    .values(Object.fromEntries(columns.map((column) => [column, parameter(column)])) as unknown as Row),
);

const findLast = prepared<{ accountId: number; planId: number }, PlanRevenueRow>((db, parameter) =>
  db
    .selectFrom('plan_revenue_lines')
    .selectAll()
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

const endLine = prepared<LineEnd, unknown>((db, parameter) =>
  db
    .updateTable('plan_revenue_lines')
    .set({ next_line_id: parameter('lineId') })
    .where('account_id', '=', parameter('accountId'))
    .where('plan_id', '=', parameter('planId'))
    .where('customer_id', '=', parameter('customerId'))
    .where('next_line_id', '=', sql.lit(NO_NEXT_LINE)),
);
