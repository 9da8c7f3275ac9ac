import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { RevenueMovement, RevenueTotalColumns } from '../db/schema.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import { totalColumns } from '../plans/running-totals.ts';

/** The totals of a seller, or of one of its plans, at a moment. Amounts are cents a year. */
export interface RevenueTotals {
  /** The last line of the ledger before the moment; 0 if there is none. */
  lineId: number;
  annualCents: number;
  paying: number;
  free: number;
  /** The sums of all movements since the ledger began, as positive numbers. */
  movements: Movements;
}

export type Movements = Record<RevenueMovement, { annualCents: number; count: number }>;

/** 1 if the movement adds to the revenue, -1 if it reduces it. */
const movementSigns: Readonly<Record<RevenueMovement, 1 | -1>> = {
  new: 1,
  expansion: 1,
  contraction: -1,
  churn: -1,
  reactivation: 1,
};

/**
 * Returns the totals of everything before the moment, for all plans or for one. However long the ledger is, this reads one
 * row of an index.
 */
export async function getRevenueTotals(
  db: Db | Trx,
  accountId: number,
  before: number,
  planId?: number,
): Promise<RevenueTotals> {
  const [row] =
    planId === undefined
      ? await findLine(db, { accountId, before })
      : await findLineOfPlan(db, { accountId, planId, before });
  const movements = mapMovements((kind) => ({
    annualCents: row?.[`${kind}_cents`] ?? 0,
    count: row?.[`${kind}_count`] ?? 0,
  }));
  return {
    lineId: row?.line_id ?? 0,
    annualCents: sumMovements(movements),
    paying: row?.paying_count ?? 0,
    free: row?.free_count ?? 0,
    movements,
  };
}

/** Returns the movements between two moments. */
export function subtractMovements(end: Movements, start: Movements): Movements {
  return mapMovements((kind) => ({
    annualCents: end[kind].annualCents - start[kind].annualCents,
    count: end[kind].count - start[kind].count,
  }));
}

/** Returns how much the movements change the annual revenue. */
export function sumMovements(movements: Movements): number {
  return revenueMovements.reduce((sum, kind) => sum + movementSigns[kind] * movements[kind].annualCents, 0);
}

function mapMovements(make: (kind: RevenueMovement) => Movements[RevenueMovement]): Movements {
  return Object.fromEntries(revenueMovements.map((kind) => [kind, make(kind)])) as Movements;
}

type Line = RevenueTotalColumns & { line_id: number };

const findLine = prepared<{ accountId: number; before: number }, Line>((db, parameter) =>
  db
    .selectFrom('revenue_lines')
    .select(['line_id', ...totalColumns])
    .where('account_id', '=', parameter('accountId'))
    .where('at', '<', parameter('before'))
    .orderBy('at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(1),
);

const findLineOfPlan = prepared<{ accountId: number; planId: number; before: number }, Line>((db, parameter) =>
  db
    .selectFrom('plan_revenue_lines')
    .select(['line_id', ...totalColumns])
    .where('account_id', '=', parameter('accountId'))
    .where('plan_id', '=', parameter('planId'))
    .where('at', '<', parameter('before'))
    .orderBy('at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(1),
);
