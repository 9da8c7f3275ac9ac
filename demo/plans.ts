import { changeCurrency } from '../src/accounts/change-currency.ts';
import type { Actor } from '../src/audit/record-audit-event.ts';
import type { Trx } from '../src/db/database.ts';
import { retirePlan, updatePlan } from '../src/plans/change-plan.ts';
import { createPlan, listPlans } from '../src/plans/plans.ts';
import { type PlanKey, PREMIUM_AFTER_MS, WINDOW_UNTIL_MS } from './lives.ts';

const sold = {
  window: {
    name: 'Shop window',
    price: '12.00',
    interval: 'month',
    description: 'Four pages that look like more. Not sold any more.',
    pages: 8,
    people: 2,
    storage: 50,
    domains: 1,
  },
  starter: {
    name: 'Starter',
    price: '19.00',
    interval: 'month',
    description: 'A small website that is looked after.',
    pages: 12,
    people: 3,
    storage: 100,
    domains: 1,
  },
  business: {
    name: 'Business',
    price: '39.00',
    interval: 'month',
    description: 'Room to grow, and an hour of our time each month.',
    pages: 40,
    people: 5,
    storage: 500,
    domains: 2,
  },
  yearly: {
    name: 'Business, yearly',
    price: '390.00',
    interval: 'year',
    description: 'Twelve months for the price of ten.',
    pages: 40,
    people: 5,
    storage: 500,
    domains: 2,
  },
  premium: {
    name: 'Premium',
    price: '89.00',
    interval: 'month',
    description: 'As much as you need, and a telephone number that we answer.',
    domains: 10,
  },
} as const;

type Plans = Record<PlanKey, number>;

/** Sets the currency and adds the agency's first plans, including a free one. Returns their ids by key. */
export async function addPlans(trx: Trx, accountId: number, by: Actor): Promise<Plans> {
  await changeCurrency(trx, accountId, 'GBP', by);
  const [free] = await listPlans(trx, accountId);
  const community = { planId: free!.id, name: 'Community', description: 'For clubs and charities, with our regards.' };
  await updatePlan(trx, accountId, { ...community, pages: 12, people: 3, storage: 50, domains: 1 }, by);
  const ids: Partial<Plans> = { community: free!.id };
  for (const key of ['window', 'starter', 'business', 'yearly'] as const) {
    ids[key] = await createPlan(trx, accountId, { ...sold[key], isDefault: key === 'starter' }, by);
  }
  return ids as Plans;
}

/** Returns the later changes of the plans with their times. */
export function changesOfPlans(start: number, accountId: number, plans: Plans, by: Actor) {
  return [
    {
      at: start + PREMIUM_AFTER_MS,
      async make(trx: Trx) {
        plans.premium = await createPlan(trx, accountId, { ...sold.premium, isDefault: false }, by);
      },
    },
    { at: start + WINDOW_UNTIL_MS, make: (trx: Trx) => retirePlan(trx, accountId, plans.window, by) },
  ];
}
