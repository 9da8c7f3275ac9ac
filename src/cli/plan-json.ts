import { decimal } from '../plans/money.ts';
import { limitsOf } from '../plans/plan-fields.ts';
import type { PlanRow } from '../plans/plans.ts';
import { formatPlanId } from './find-by-name.ts';
import { time } from './output.ts';

export function planJson(plan: PlanRow) {
  const { pages, people, storage, domains } = limitsOf(plan);
  return {
    id: formatPlanId(plan.id),
    name: plan.name,
    price: decimal(plan.price_cents),
    interval: plan.interval,
    is_default: plan.is_default === 1,
    active_customers_count: plan.active_customers,
    created_at: time(plan.created_at),
    retired_at: plan.retired_at === null ? null : time(plan.retired_at),
    description: plan.description,
    trial_days: plan.trial_days,
    trial_customers_count: plan.trial_customers,
    limits: { pages, people, storage_mb: storage, domains },
  };
}
