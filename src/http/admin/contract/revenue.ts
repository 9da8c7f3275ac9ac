import * as v from 'valibot';
import type { CustomerState, Interval, RevenueMovement } from '../../../db/schema.ts';
import { oneOf, wholeNumber } from '../schema.ts';

/*
 * The recurring revenue of the account. Days are those of its time zone, written YYYY-MM-DD.
 */

const day = v.custom<string>((value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)), 'must be a day like 2026-06-30');

/**
 * GET /admin/revenue?from=DAY&to=DAY&step=STEP: both included, at most ten years. Without them, the last twelve months, eight
 * quarters or five years until today.
 */
export const revenueQuery = v.object({
  from: v.optional(day),
  to: v.optional(day),
  step: v.optional(oneOf<RevenueStep>(['month', 'quarter', 'year'])),
});

export type RevenueStep = 'month' | 'quarter' | 'year';

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
  /** Before the first day. */
  start: RevenueTotalsJson;
  end: RevenueTotalsJson;
  /** They sum to the difference of the revenue at both ends: contraction and churn are to be subtracted. */
  movements: Record<RevenueMovement, RevenueAmountJson & { count: number }>;
  rates: RevenueRatesJson;
}

/** Shares of what was there at the beginning: 0.05 is 5 %. null if nobody paid then. See `compoundRates`. */
export interface RevenueRatesJson {
  customerChurn: number | null;
  revenueChurn: number | null;
  grossRetention: number | null;
  netRetention: number | null;
}

export interface RevenueJson extends RevenuePeriodJson {
  timeZone: string;
  step: RevenueStep;
  /** The calendar's periods of the range, which may cut off the first and the last. */
  periods: RevenuePeriodJson[];
}

export interface RevenueAmountJson {
  /** The exact amount. The amounts of the customers behind a figure sum to the figure's. */
  annualCents: number;
  /** A twelfth of it as a decimal, rounded. */
  mrr: string;
}

export interface RevenueTotalsJson extends RevenueAmountJson {
  paying: number;
  free: number;
  /** The MRR per paying customer; null if there is none. */
  mrrPerPaying: string | null;
}

export interface RevenueCustomersJson {
  from: string;
  to: string;
  /** What the lines of all pages sum to. A movement's amount has no sign. */
  total: RevenueAmountJson & { count: number };
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
