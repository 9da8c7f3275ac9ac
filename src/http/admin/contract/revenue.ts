import * as v from 'valibot';
import type { CustomerState, Interval, RevenueMovement } from '../../../db/schema.ts';
import { oneOf, text, wholeNumber } from '../schema.ts';

/* The recurring revenue of the account. Days are in its time zone, written YYYY-MM-DD. */

const day = v.custom<string>((value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)), 'must be a day like 2026-06-30');

/**
 * GET /admin/revenue?from=DAY&to=DAY&step=STEP&plan=ID: the range includes both days and is ten years at most. By default, it is
 * the last twelve months, eight quarters or five years until today. With `plan`, the revenue of one plan. GET /admin/revenue.csv
 * returns the movements as a CSV file.
 */
export const revenueQuery = v.object({
  from: v.optional(day),
  to: v.optional(day),
  step: v.optional(oneOf<RevenueStep>(['month', 'quarter', 'year'])),
  plan: v.optional(wholeNumber),
});

/** GET /admin/revenue/cohorts?from=DAY&to=DAY&step=STEP: the new customers of each period, as of the end of the range. */
export const cohortsQuery = v.omit(revenueQuery, ['plan']);

export type RevenueStep = 'month' | 'quarter' | 'year';

/**
 * GET /admin/revenue/customers?figure=FIGURE&from=DAY&to=DAY&plan=ID&after=NEXT: 100 customers that a figure counts. A cohort's
 * customers are listed in their state at the end of the day `asOf`.
 */
export const revenueCustomersQuery = v.object({
  figure: v.custom<RevenueFigure>((value) => typeof value === 'string', 'must be a text'),
  from: v.optional(day),
  to: v.optional(day),
  plan: v.optional(wholeNumber),
  asOf: v.optional(day),
  after: v.optional(wholeNumber),
});

export type RevenueCustomersQuery = v.InferOutput<typeof revenueCustomersQuery>;

/** A state of customers at the end of the last day, a movement within the days, or a cohort: customers who came in the days. */
export type RevenueFigure = Exclude<CustomerState, 'inactive'> | RevenueMovement | 'came' | 'stayed';
export type { RevenueMovement };

export interface RevenuePeriodJson {
  from: string;
  to: string;
  /** The totals just before the first day. */
  start: RevenueTotalsJson;
  end: RevenueTotalsJson;
  /** The movements sum to the difference between `end` and `start`, if contraction and churn are subtracted. */
  movements: Record<RevenueMovement, RevenueAmountJson & { count: number }>;
  rates: RevenueRatesJson;
}

/** Shares of the state at the beginning: 0.05 is 5 %. Null if nobody paid then. See `compoundRates`. */
interface RevenueRatesJson {
  customerChurn: number | null;
  revenueChurn: number | null;
  grossRetention: number | null;
  netRetention: number | null;
}

export interface RevenueJson extends RevenuePeriodJson {
  timeZone: string;
  step: RevenueStep;
  /** The calendar periods of the range, which may cut off the first and the last. */
  periods: RevenuePeriodJson[];
  /** All plans that have ever had a customer, even if the query has `plan`. They sum to the account's revenue. */
  plans: PlanRevenueJson[];
}

export interface PlanRevenueJson {
  planId: number;
  name: string;
  start: RevenueTotalsJson;
  end: RevenueTotalsJson;
}

export interface CohortsJson {
  from: string;
  to: string;
  step: RevenueStep;
  cohorts: CohortJson[];
}

/** The customers who came in a period, in their state at the end of the range. */
export interface CohortJson extends RevenueAmountJson {
  from: string;
  to: string;
  came: number;
  /** How many of them are active. */
  stayed: number;
}

interface RevenueAmountJson {
  /** The exact amount. The amounts of a figure's customers sum to the figure's amount. */
  annualCents: number;
  /** A twelfth of the amount, as a rounded decimal. */
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
  /** The day at whose end a cohort's customers are listed; for other figures, the last day. */
  asOf: string;
  /** The name of the plan in the query; null for all plans. */
  planName: string | null;
  /** The sum over all customers, not only the listed ones. A movement's amount has no sign. */
  total: RevenueAmountJson & { count: number };
  customers: RevenueCustomerJson[];
  /** The `after` of the next 100; null if there are no more. */
  next: number | null;
}

export interface RevenueCustomerJson {
  customerId: number;
  name: string;
  /** True if the customer was deleted, so that it has no details to show. */
  isDeleted: boolean;
  at: number;
  /** Null once the customer is suspended. */
  plan: { name: string; priceCents: number; interval: Interval } | null;
  annualCents: number;
  changeCents: number;
}

/**
 * GET /admin/revenue/forecast: the known changes in the months to come; a month without changes is left out.
 * GET /admin/revenue/forecast.csv returns all changes as a CSV file.
 */
export interface ForecastJson {
  /** The MRR now, as a decimal. */
  mrr: string;
  months: ForecastMonthJson[];
}

export interface ForecastMonthJson {
  /** `YYYY-MM` */
  month: string;
  /** The scheduled changes of plans, and their effect in exact cents a year. */
  moves: { count: number; annualCents: number };
  /** The trials that end, and their effect. */
  trials: { count: number; annualCents: number };
  /** The MRR after the month, as a decimal. */
  mrr: string;
}

/** GET /admin/revenue/forecast/changes?month=YYYY-MM&after=NEXT: 100 of the changes behind the forecast, by day. */
export const forecastChangesQuery = v.object({
  month: v.optional(v.custom<string>((value) => /^\d{4}-\d{2}$/.test(String(value)), 'must be a month like 2026-06')),
  after: v.optional(text),
});

export interface ForecastChangesJson {
  changes: ForecastChangeJson[];
  /** The `after` of the next part; null for the last part. */
  next: string | null;
}

export interface ForecastChangeJson {
  kind: 'move' | 'trial';
  /** `YYYY-MM-DD` */
  day: string;
  customerId: number;
  name: string;
  /** The plans before and after the change; equal if a trial ends. */
  from: string;
  to: string;
  priceCents: number;
  interval: Interval;
  changeCents: number;
}
