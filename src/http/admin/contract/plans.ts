import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import { flag, text, textOf } from '../schema.ts';

/* The plans that the account sells to its customers. */

/** GET /admin/plans */
export interface PlansJson {
  plans: PlanJson[];
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
  /** The monthly recurring revenue of the plan's customers, a decimal. */
  mrr: string;
}

/** POST /admin/plans → 201 PlanJson. The price is a decimal: `49.00`. */
export const createPlanInput = v.object({
  name: text,
  price: text,
  interval: textOf<Interval>(),
  isDefault: v.optional(flag, false),
});
export type CreatePlanInput = v.InferInput<typeof createPlanInput>;

/** PATCH /admin/plans/ID → PlanJson; POST /admin/plans/ID/default, …/retire, …/restore → PlanJson */
export const changePlanInput = v.object({ name: text });
export type ChangePlanInput = v.InferInput<typeof changePlanInput>;
