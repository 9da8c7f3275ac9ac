import { decimal } from '../plans/money.ts';
import type { PlanRow } from '../plans/plans.ts';
import { planId } from './find-plan.ts';
import { time } from './output.ts';

export function planJson(plan: PlanRow) {
  return {
    id: planId(plan.id),
    name: plan.name,
    price: decimal(plan.price_cents),
    interval: plan.interval,
    is_default: plan.is_default === 1,
    active_customers_count: plan.active_customers,
    created_at: time(plan.created_at),
    retired_at: plan.retired_at === null ? null : time(plan.retired_at),
  };
}
