import * as v from 'valibot';
import type { CustomerState, Interval, RevenueMovement } from '../../../db/schema.ts';
import { oneOf, text, wholeNumber } from '../schema.ts';

/*
 * The recurring revenue of the account. Days are those of its time zone, written YYYY-MM-DD.
 */

const day = v.custom<string>((value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)), 'must be a day like 2026-06-30');

/**
 * GET /admin/revenue?from=DAY&to=DAY&step=STEP&plan=ID: both included, at most ten years. Without them, the last twelve months, eight
 * quarters or five years until today. With `plan`, the revenue of one plan. GET /admin/revenue.csv has the movements as a file.
 */
export const revenueQuery = v.object({
  from: v.optional(day),
  to: v.optional(day),
  step: v.optional(oneOf<RevenueStep>(['month', 'quarter', 'year'])),
  plan: v.optional(wholeNumber),
});

/** GET /admin/revenue/cohorts?from=DAY&to=DAY&step=STEP: the customers who came in each period, as they are at the end of the last day. */
export const cohortsQuery = v.omit(revenueQuery, ['plan']);

export type RevenueStep = 'month' | 'quarter' | 'year';

/**
 * GET /admin/revenue/customers?figure=FIGURE&from=DAY&to=DAY&plan=ID&after=NEXT: 100 customers that a figure counts. For those who
 * came in the days, `asOf` is the day of their present state.
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

/** The customers at the end of the last day, the movements in the days, or those who came in the days. */
export type RevenueFigure = Exclude<CustomerState, 'inactive'> | RevenueMovement | 'came' | 'stayed';
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
  /** All plans that have ever had a customer, also if the rest is about one. They sum to the account's revenue. */
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

/** The customers who came in the days, as they are at the end of the range. */
export interface CohortJson extends RevenueAmountJson {
  from: string;
  to: string;
  came: number;
  /** How many of them are active. */
  stayed: number;
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
  /** For new customers: the day whose plans they are listed with. Otherwise the last of the days. */
  asOf: string;
  /** The plan that the figure is of; null for all plans. */
  planName: string | null;
  /** The sum of the lines of all pages. A movement's amount has no sign. */
  total: RevenueAmountJson & { count: number };
  customers: RevenueCustomerJson[];
  /** The `after` of the next 100; null if there are no more. */
  next: number | null;
}

export interface RevenueCustomerJson {
  customerId: number;
  name: string;
  /** Whether it was deleted, so that there is no more to see of it. */
  isDeleted: boolean;
  at: number;
  /** null once the customer is suspended. */
  plan: { name: string; priceCents: number; interval: Interval } | null;
  annualCents: number;
  changeCents: number;
}

/**
 * GET /admin/revenue/forecast: what is known of the months to come. GET /admin/revenue/forecast.csv has all changes as a file. A month without
 * changes is left out.
 */
export interface ForecastJson {
  /** The MRR now, as a decimal. */
  mrr: string;
  months: ForecastMonthJson[];
}

export interface ForecastMonthJson {
  /** `YYYY-MM` */
  month: string;
  /** The scheduled changes of plans, and what they change a year in exact cents. */
  moves: { count: number; annualCents: number };
  /** The trials that end. */
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
  /** `after` of the next part; null for the last part. */
  next: string | null;
}

export interface ForecastChangeJson {
  kind: 'move' | 'trial';
  /** `YYYY-MM-DD` */
  day: string;
  customerId: number;
  name: string;
  /** The plans before and after; the same for a trial that ends. */
  from: string;
  to: string;
  priceCents: number;
  interval: Interval;
  changeCents: number;
}
