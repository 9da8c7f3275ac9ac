import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import { flag, integer, text, textOf } from '../schema.ts';

/* The plans that the account sells to its customers. */

/** GET /admin/plans */
export interface PlansJson {
  plans: PlanJson[];
}

/** GET /admin/price-changes: the scheduled changes of prices, the next first. */
export interface PriceChangesJson {
  priceChanges: PriceChangeJson[];
}

export interface PriceChangeJson {
  id: number;
  fromPlanId: number;
  toPlanId: number;
  /** `YYYY-MM-DD`. */
  day: string;
  /** How many customers the change will move to the new plan. */
  moves: number;
}

/** GET /admin/plans/ID/price-change?price=59.00: the effect of a new price, if it applied to the plan's customers. */
export const priceChangeQuery = v.object({ price: text });

export interface PriceChangePreviewJson {
  /** How many customers would move, and how many of these are not suspended. */
  moves: number;
  active: number;
  /** How many customers have another scheduled change, which stays. */
  others: number;
  /** The MRR from the customers that would move, before and after, as decimals. */
  mrr: string;
  newMrr: string;
}

/**
 * POST /admin/plans/ID/price-change → 201 ChangedPriceJson. Without a day, the plan's present customers keep their price.
 * POST /admin/price-changes/ID/undo → PlansJson, until the day begins.
 */
export const changePriceInput = v.object({ name: text, price: text, day: v.nullable(text) });
export type ChangePriceInput = v.InferInput<typeof changePriceInput>;

export interface ChangedPriceJson {
  id: number;
  plan: PlanJson;
  moves: number;
}

export interface PlanJson {
  id: number;
  name: string;
  priceCents: number;
  interval: Interval;
  /** True if new customers get this plan unless another is chosen. */
  isDefault: boolean;
  /** When the plan was retired; null for a plan that is offered. */
  retiredAt: number | null;
  /** Excludes suspended customers. */
  activeCustomers: number;
  description: string;
  limits: PlanLimitsJson;
  trialDays: number;
  /** How many of the active customers are in their trial. */
  trialCustomers: number;
  /** The monthly recurring revenue of the plan's customers, as a decimal. */
  mrr: string;
}

/** The limits of a plan; null for no limit. */
export interface PlanLimitsJson {
  pages: number | null;
  /** The number of users, invited ones included. */
  people: number | null;
  /** Megabytes of images. */
  storage: number | null;
  domains: number | null;
}

/** GET /admin/usage: how much of its plan an account uses, storage in bytes. Deleted things do not count. Null: no limit. */
export type PlanUsageJson = Record<keyof PlanLimitsJson, { used: number; limit: number | null }>;

const limit = v.optional(v.nullable(integer));
const fields = {
  description: v.optional(text),
  trialDays: v.optional(integer),
  pages: limit,
  people: limit,
  storage: limit,
  domains: limit,
};

/** POST /admin/plans → 201 PlanJson. The price is a decimal such as `49.00`. */
export const createPlanInput = v.object({
  name: text,
  price: text,
  interval: textOf<Interval>(),
  isDefault: v.optional(flag, false),
  ...fields,
});
export type CreatePlanInput = v.InferInput<typeof createPlanInput>;

/** PATCH /admin/plans/ID → PlanJson. Omitted fields stay as they are. POST …/default, …/retire, …/restore → PlanJson */
export const changePlanInput = v.object({ name: v.optional(text), ...fields });
export type ChangePlanInput = v.InferInput<typeof changePlanInput>;

/** POST /admin/plans/ID/move → PlansJson. Positions count from 1. */
export const movePlanInput = v.object({ position: integer });
export type MovePlanInput = v.InferInput<typeof movePlanInput>;

/** PUT /admin/currency → CurrencyJson: the currency of all prices, as an ISO 4217 code. */
export const currencyInput = v.object({ currency: text });

export interface CurrencyJson {
  currency: string;
}
