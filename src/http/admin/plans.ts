import { changeCurrency } from '../../accounts/change-currency.ts';
import type { Db } from '../../db/database.ts';
import { makePlanDefault, movePlan, restorePlan, retirePlan, updatePlan } from '../../plans/change-plan.ts';
import { annualCents, monthlyDecimal } from '../../plans/money.ts';
import { limitsOf } from '../../plans/plan-fields.ts';
import { createPlan, getPlan, listPlans, type PlanRow } from '../../plans/plans.ts';
import { changePrice, undoPriceChange } from '../../scheduled-changes/change-price.ts';
import { listWaitingPriceChanges, previewPriceChange } from '../../scheduled-changes/price-change.ts';
import {
  changePlanInput,
  changePriceInput,
  createPlanInput,
  currencyInput,
  movePlanInput,
  priceChangeQuery,
} from './contract/plans.ts';
import type {
  ChangedPriceJson,
  CurrencyJson,
  PlanJson,
  PlansJson,
  PriceChangePreviewJson,
  PriceChangesJson,
} from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the plans that the account sells. */
export function planRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/plans', {
      needs: 'view_customers',
      handle: async ({ sessionOwner: { accountId } }) => jsonResponse(200, await list(db, accountId)),
    }),
    route('POST /admin/plans', {
      needs: 'manage_plans',
      body: createPlanInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const plan = await change(async (trx) => {
          return getPlan(trx, accountId, await createPlan(trx, accountId, body, actor));
        });
        return jsonResponse(201, planJson(plan));
      },
    }),
    route('PATCH /admin/plans/:id', {
      needs: 'manage_plans',
      body: changePlanInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body, change }) => {
        const plan = await change((trx) => updatePlan(trx, accountId, { planId: id, ...body }, actor));
        return jsonResponse(200, planJson(plan));
      },
    }),
    route('POST /admin/plans/:id/move', {
      needs: 'manage_plans',
      body: movePlanInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { position }, change }) => {
        await change((trx) => movePlan(trx, accountId, { planId: id, position }, actor));
        return jsonResponse(200, await list(db, accountId));
      },
    }),
    route('GET /admin/plans/:id/price-change', {
      needs: 'manage_plans',
      query: priceChangeQuery,
      handle: async ({ id, sessionOwner: { accountId }, query: { price } }) => {
        const preview = await previewPriceChange(db, accountId, { planId: id, price });
        const { moves, active, others, annualCents, newAnnualCents } = preview;
        const mrr = { mrr: monthlyDecimal(annualCents), newMrr: monthlyDecimal(newAnnualCents) };
        return jsonResponse(200, { moves, active, others, ...mrr } satisfies PriceChangePreviewJson);
      },
    }),
    route('POST /admin/plans/:id/price-change', {
      needs: 'manage_plans',
      body: changePriceInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { day, ...input }, change }) => {
        const changed = await change(async (trx) => {
          const made = await changePrice(trx, accountId, { planId: id, day: day ?? undefined, ...input }, actor);
          return { ...made, plan: planJson(await getPlan(trx, accountId, made.planId)) };
        });
        const { id: changeId, plan, moves } = changed;
        return jsonResponse(201, { id: changeId, plan, moves } satisfies ChangedPriceJson);
      },
    }),
    route('GET /admin/price-changes', {
      needs: 'manage_plans',
      handle: async ({ sessionOwner: { accountId } }) => {
        const priceChanges = await listWaitingPriceChanges(db, accountId);
        return jsonResponse(200, { priceChanges } satisfies PriceChangesJson);
      },
    }),
    route('POST /admin/price-changes/:id/undo', {
      needs: 'manage_plans',
      handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
        await change((trx) => undoPriceChange(trx, accountId, id, actor));
        return jsonResponse(200, await list(db, accountId));
      },
    }),
    route('PUT /admin/currency', {
      needs: 'manage_plans',
      body: currencyInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const currency = await change((trx) => changeCurrency(trx, accountId, body.currency, actor));
        return jsonResponse(200, { currency } satisfies CurrencyJson);
      },
    }),
    verbRoute('/admin/plans/:id/default', makePlanDefault),
    verbRoute('/admin/plans/:id/retire', retirePlan),
    verbRoute('/admin/plans/:id/restore', restorePlan),
  ];
}

/** Returns the route that applies a verb to one plan, with no input but its id. */
function verbRoute(path: `/admin/plans/${string}`, verb: typeof retirePlan): AdminRoute {
  return route(`POST ${path}`, {
    needs: 'manage_plans',
    handle: async ({ id, sessionOwner: { accountId }, actor, change }) =>
      jsonResponse(200, planJson(await change((trx) => verb(trx, accountId, id, actor)))),
  });
}

async function list(db: Db, accountId: number): Promise<PlansJson> {
  return { plans: (await listPlans(db, accountId)).map(planJson) };
}

function planJson(plan: PlanRow): PlanJson {
  return {
    id: plan.id,
    name: plan.name,
    priceCents: plan.price_cents,
    interval: plan.interval,
    isDefault: plan.is_default === 1,
    retiredAt: plan.retired_at,
    activeCustomers: plan.active_customers,
    description: plan.description,
    limits: limitsOf(plan),
    trialDays: plan.trial_days,
    trialCustomers: plan.trial_customers,
    mrr: monthlyDecimal(annualCents(plan) * (plan.active_customers - plan.trial_customers)),
  };
}
