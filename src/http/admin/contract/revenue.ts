import * as v from 'valibot';
import type { CustomerState, Interval, RevenueMovement } from '../../../db/schema.ts';
import { wholeNumber } from '../schema.ts';

/*
 * The recurring revenue of the account. Days are those of its time zone, written YYYY-MM-DD.
 */

const day = v.custom<string>((value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)), 'must be a day like 2026-06-30');

/** GET /admin/revenue?from=DAY&to=DAY: both included, at most ten years. Without them, the last twelve months until today. */
export const revenueQuery = v.object({ from: v.optional(day), to: v.optional(day) });

/** GET /admin/revenue/customers?figure=FIGURE&from=DAY&to=DAY&after=NEXT: 100 customers that a figure counts. */
export const revenueCustomersQuery = v.object({
  figure: v.custom<RevenueFigure>((value) => typeof value === 'string', 'must be a text'),
  from: v.optional(day),
  to: v.optional(day),
  after: v.optional(wholeNumber),
});

/** The customers at the end of the last day, or the movements in the days. */
export type RevenueFigure = Exclude<CustomerState, 'inactive'> | RevenueMovement;
export type { RevenueMovement };

export interface RevenuePeriodJson {
  from: string;
  to: string;
  end: RevenueTotalsJson;
  /** They sum to the difference of the revenue at both ends: contraction and churn are to be subtracted. */
  movements: Record<RevenueMovement, RevenueAmountJson & { count: number }>;
}

export interface RevenueJson extends RevenuePeriodJson {
  timeZone: string;
  /** Before the first day. */
  start: RevenueTotalsJson;
  months: RevenuePeriodJson[];
}

interface RevenueAmountJson {
  /** The exact amount. The amounts of the customers behind a figure sum to the figure's. */
  annualCents: number;
  /** A twelfth of it as a decimal, rounded. */
  mrr: string;
}

export interface RevenueTotalsJson extends RevenueAmountJson {
  paying: number;
  free: number;
}

export interface RevenueCustomersJson {
  customers: RevenueCustomerJson[];
  /** The `after` of the next 100; null if there are no more. */
  next: number | null;
}

export interface RevenueCustomerJson {
  customerId: number;
  name: string;
  at: number;
  /** null once the customer is suspended. */
  plan: { name: string; priceCents: number; interval: Interval } | null;
  annualCents: number;
  changeCents: number;
}
