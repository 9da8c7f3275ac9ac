import { makePlanDefault, renamePlan, restorePlan, retirePlan } from '../../plans/change-plan.ts';
import { annualCents, monthlyDecimal } from '../../plans/money.ts';
import { createPlan, getPlan, listPlans, type PlanRow } from '../../plans/plans.ts';
import { changePlanInput, createPlanInput } from './contract/plans.ts';
import type { PlanJson, PlansJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** The plans that the account sells. */
export function planRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/plans',
      needs: 'view_customers',
      handle: async ({ caller: { accountId } }) => {
        const plans = await listPlans(db, accountId);
        return jsonResponse(200, { plans: plans.map(planJson) } satisfies PlansJson);
      },
    }),
    route({
      method: 'POST',
      path: '/admin/plans',
      needs: 'manage_plans',
      body: createPlanInput,
      handle: async ({ caller: { accountId }, actor, body, change }) => {
        const plan = await change(async (trx) => {
          return getPlan(trx, accountId, await createPlan(trx, accountId, body, actor));
        });
        return jsonResponse(201, planJson(plan));
      },
    }),
    route({
      method: 'PATCH',
      path: '/admin/plans/:id',
      needs: 'manage_plans',
      body: changePlanInput,
      handle: async ({ id, caller: { accountId }, actor, body: { name }, change }) => {
        const plan = await change((trx) => renamePlan(trx, accountId, { planId: id, name }, actor));
        return jsonResponse(200, planJson(plan));
      },
    }),
    verbRoute('/admin/plans/:id/default', makePlanDefault),
    verbRoute('/admin/plans/:id/retire', retirePlan),
    verbRoute('/admin/plans/:id/restore', restorePlan),
  ];
}

/** Returns the route that does something with one plan and takes no more than its id. */
function verbRoute(path: `/admin/plans/${string}`, verb: typeof retirePlan): AdminRoute {
  return route({
    method: 'POST',
    path,
    needs: 'manage_plans',
    handle: async ({ id, caller: { accountId }, actor, change }) =>
      jsonResponse(200, planJson(await change((trx) => verb(trx, accountId, id, actor)))),
  });
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
    mrr: monthlyDecimal(annualCents(plan) * plan.active_customers),
  };
}
