import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import { flag, integer, text, textOf } from '../schema.ts';

/* The plans that the account sells to its customers. */

/** GET /admin/plans */
export interface PlansJson {
  plans: PlanJson[];
}

/** GET /admin/price-changes: the changes of prices that wait for their day, the next first. */
export interface PriceChangesJson {
  priceChanges: PriceChangeJson[];
}

export interface PriceChangeJson {
  id: number;
  fromPlanId: number;
  toPlanId: number;
  /** `YYYY-MM-DD`. */
  day: string;
  /** How many customers it will move. */
  moves: number;
}

/** GET /admin/plans/ID/price-change?price=59.00: what that price would do to those on the plan, if it were theirs. */
export const priceChangeQuery = v.object({ price: text });

export interface PriceChangePreviewJson {
  /** The customers that would move, and those of them who are not suspended. */
  moves: number;
  active: number;
  /** The customers with another scheduled change, which stays. */
  others: number;
  /** The monthly revenue from the customers that would move, before and after, as decimals. */
  mrr: string;
  newMrr: string;
}

/**
 * POST /admin/plans/ID/price-change → 201 ChangedPriceJson. Without a day, those on the plan keep its price. POST
 * /admin/price-changes/ID/undo → PlansJson, until the day begins.
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
  /** Whether new customers are put on it. */
  isDefault: boolean;
  /** When it was retired; null for a plan that is offered. */
  retiredAt: number | null;
  /** Without suspended customers. */
  activeCustomers: number;
  description: string;
  limits: PlanLimitsJson;
  /** How many days cost nothing at first. */
  trialDays: number;
  /** How many of the active customers are in their trial. */
  trialCustomers: number;
  /** The monthly recurring revenue of the plan's customers, a decimal. */
  mrr: string;
}

/** How much a customer may have; null for no limit. */
export interface PlanLimitsJson {
  pages: number | null;
  /** Including invited people. */
  people: number | null;
  /** Megabytes of images. */
  storage: number | null;
  domains: number | null;
}

/** GET /admin/usage: what an account uses of its plan; storage in bytes. Deleted things do not count. A limit is null for none. */
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

/** POST /admin/plans → 201 PlanJson. The price is a decimal: `49.00`. */
export const createPlanInput = v.object({
  name: text,
  price: text,
  interval: textOf<Interval>(),
  isDefault: v.optional(flag, false),
  ...fields,
});
export type CreatePlanInput = v.InferInput<typeof createPlanInput>;

/**
 * PATCH /admin/plans/ID → PlanJson: what is not sent stays as it is. POST /admin/plans/ID/default, …/retire, …/restore → PlanJson
 */
export const changePlanInput = v.object({ name: v.optional(text), ...fields });
export type ChangePlanInput = v.InferInput<typeof changePlanInput>;

/** POST /admin/plans/ID/move → PlansJson. The first place is 1. */
export const movePlanInput = v.object({ position: integer });
export type MovePlanInput = v.InferInput<typeof movePlanInput>;

/** PUT /admin/currency → CurrencyJson: the currency of all prices, by its code of ISO 4217. */
export const currencyInput = v.object({ currency: text });

export interface CurrencyJson {
  currency: string;
}
