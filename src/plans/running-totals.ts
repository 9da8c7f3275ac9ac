import type { RevenueMovement, RevenueStateColumns, RevenueTotalColumns } from '../db/schema.ts';
import { revenueMovements } from './revenue-movement.ts';

/** The `next_line_id` of a customer's last line. */
export const NO_NEXT_LINE = Number.MAX_SAFE_INTEGER;

type State = Pick<RevenueStateColumns, 'state' | 'annual_cents'>;

/** Returns the columns for a change of a customer, including the totals after it, which continue those of the last row. */
export function continueTotals(
  last: RevenueTotalColumns | undefined,
  before: State | undefined,
  { movement, ...after }: State & { movement: RevenueMovement | null },
): RevenueStateColumns & RevenueTotalColumns {
  const change = after.annual_cents - (before?.annual_cents ?? 0);
  const count = (state: string) => Number(after.state === state) - Number(before?.state === state);
  const row = {
    ...after,
    movement,
    change_cents: change,
    paying_count: (last?.paying_count ?? 0) + count('paying'),
    free_count: (last?.free_count ?? 0) + count('free'),
    ...noMovements,
  };
  for (const kind of revenueMovements) {
    row[`${kind}_cents`] = (last?.[`${kind}_cents`] ?? 0) + (kind === movement ? Math.abs(change) : 0);
    row[`${kind}_count`] = (last?.[`${kind}_count`] ?? 0) + (kind === movement ? 1 : 0);
  }
  return row;
}

const noMovements = {
  new_cents: 0,
  expansion_cents: 0,
  contraction_cents: 0,
  churn_cents: 0,
  reactivation_cents: 0,
  new_count: 0,
  expansion_count: 0,
  contraction_count: 0,
  churn_count: 0,
  reactivation_count: 0,
};

/** The columns that `continueTotals` fills, with their types. */
export const totalTypes = {
  state: 'text',
  annual_cents: 'bigint',
  movement: 'text',
  change_cents: 'bigint',
  paying_count: 'bigint',
  free_count: 'bigint',
  new_cents: 'bigint',
  expansion_cents: 'bigint',
  contraction_cents: 'bigint',
  churn_cents: 'bigint',
  reactivation_cents: 'bigint',
  new_count: 'bigint',
  expansion_count: 'bigint',
  contraction_count: 'bigint',
  churn_count: 'bigint',
  reactivation_count: 'bigint',
} as const;
export const totalColumns = Object.keys(totalTypes) as Array<keyof typeof totalTypes>;
