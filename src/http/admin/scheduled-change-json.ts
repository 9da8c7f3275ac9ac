import type { ScheduledChange } from '../../scheduled-changes/scheduled-change.ts';
import type { ScheduledChangeJson } from './contract.ts';

export function scheduledChangeJson(scheduled: ScheduledChange | undefined): ScheduledChangeJson | null {
  if (!scheduled) return null;
  const { id, day, failure, plan } = scheduled;
  const planJson = { name: plan.name, priceCents: plan.price_cents, interval: plan.interval };
  return { id, planId: plan.id, plan: planJson, day, failure };
}
