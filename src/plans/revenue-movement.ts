import type { CustomerState, RevenueMovement } from '../db/schema.ts';
import { annualCents } from './money.ts';
import type { PlanRow } from './plans.ts';

/** All kinds of movement, in the order in which reports list them. */
export const revenueMovements: readonly RevenueMovement[] = [
  'new',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
];

/** The state of a customer after a line of the ledger, and how many cents it pays a year. */
interface CustomerRevenue {
  state: CustomerState;
  annualCents: number;
  /** True if the customer has ever paid. */
  hasPaid: boolean;
}

const NO_REVENUE: CustomerRevenue = { state: 'inactive', annualCents: 0, hasPaid: false };

interface Change {
  from: Pick<PlanRow, 'price_cents' | 'interval'> | null;
  to: Pick<PlanRow, 'price_cents' | 'interval'> | null;
  isTrial?: boolean;
}

/**
 * Returns the customer's revenue after the change. A customer that is moved while it is suspended stays inactive; a trial is
 * free.
 */
export function changeRevenue(before: CustomerRevenue | undefined, { from, to, isTrial }: Change): CustomerRevenue {
  const { state, hasPaid } = before ?? NO_REVENUE;
  const isActive = to !== null && (from === null || state !== 'inactive');
  if (!isActive) return { state: 'inactive', annualCents: 0, hasPaid };
  const annual = isTrial ? 0 : annualCents(to);
  return annual > 0
    ? { state: 'paying', annualCents: annual, hasPaid: true }
    : { state: 'free', annualCents: 0, hasPaid };
}

/** Returns the kind of movement between two states of a customer, or null if it pays as much as before. */
export function classifyMovement(
  before: CustomerRevenue | undefined,
  { annualCents: now }: CustomerRevenue,
): RevenueMovement | null {
  const { annualCents: then, hasPaid } = before ?? NO_REVENUE;
  if (now === then) return null;
  if (then === 0) return hasPaid ? 'reactivation' : 'new';
  if (now === 0) return 'churn';
  return now > then ? 'expansion' : 'contraction';
}
