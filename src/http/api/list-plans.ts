import { snapshot } from '../../db/snapshot.ts';
import { getCurrency } from '../../plans/get-currency.ts';
import { decimal } from '../../plans/money.ts';
import { getPlan, listPlans, type PlanRow } from '../../plans/plans.ts';
import { type PlanLimit, planLimits } from '../../tenancy/plan-limits.ts';
import { missing } from './answers.ts';
import { idInPath } from './ids.ts';
import { objectSchema, ref, type Schema, textOrNull, textSchema } from './json-schema.ts';
import { readOperation } from './operation.ts';
import { reading } from './reading.ts';

export const noPlan = missing('The account has no plan with this id.', 'The plan does not exist.');

const limitSchema: Schema = {
  type: ['integer', 'null'],
  description: 'Limit of the plan; null if there is no limit. Storage is in bytes.',
  examples: [10],
};

export const planIdSchema: Schema = { ...textSchema('Plan identifier.', 'plan_3'), pattern: '^plan_[1-9][0-9]*$' };

export const currencySchema: Schema = textOrNull(
  'ISO 4217 code of the currency of all prices; null if none is chosen yet.',
  'EUR',
);

export const planSchema: Schema = objectSchema({
  id: planIdSchema,
  name: textSchema('Name of the plan.', 'Standard'),
  description: textSchema('Description for the users of your account; may be empty.', 'For shops'),
  price: textSchema('Price per interval. A decimal number.', '19.00'),
  interval: {
    type: 'string',
    enum: ['month', 'quarter', 'year'],
    description: 'How often the price is due.',
    examples: ['month'],
  },
  trial_days: { type: 'integer', description: 'Length of the free trial, in days.', examples: [14] },
  is_default: { type: 'boolean', description: 'Whether new customers get this plan.', examples: [true] },
  is_retired: { type: 'boolean', description: 'Whether no more customers can get this plan.', examples: [false] },
  customers_count: { type: 'integer', description: 'Number of active customers on the plan.', examples: [12] },
  limits: objectSchema(Object.fromEntries(planLimits.map((limit) => [limit, limitSchema]))),
});

export const listPlansOperation = readOperation('GET /api/plans.json', {
  id: 'listPlans',
  tag: 'Plans',
  scope: 'plans:read',
  summary: 'List plans',
  description: 'The plans that the account sells, in the order of the admin app, with their prices and limits.',
  answers: [{ status: 200, schema: 'PlanList', description: 'The plans.' }],
  schemas: {
    PlanList: objectSchema({
      plans: { type: 'array', items: ref('Plan'), description: 'In the order of the admin app.' },
      currency: currencySchema,
    }),
    Plan: planSchema,
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => {
    const list = await snapshot(db, async (trx) => ({
      plans: (await listPlans(trx, accountId)).map(planJson),
      currency: (await getCurrency(trx, accountId)) || null,
    }));
    return list;
  }),
});

export const getPlanOperation = readOperation('GET /api/plans/{id}.json', {
  id: 'getPlan',
  tag: 'Plans',
  scope: 'plans:read',
  summary: 'Read a plan',
  description: 'One plan, with its price and limits.',
  answers: [{ status: 200, schema: 'PlanAnswer', description: 'The plan.' }, noPlan],
  schemas: { PlanAnswer: objectSchema({ plan: ref('Plan') }), Plan: planSchema },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db }, id: text }) => {
    const plan = await getPlan(db, accountId, idInPath('plan', text));
    return { plan: planJson(plan) };
  }),
});

export function planJson(plan: PlanRow) {
  return {
    id: `plan_${plan.id}`,
    name: plan.name,
    description: plan.description,
    price: decimal(plan.price_cents),
    interval: plan.interval,
    trial_days: plan.trial_days,
    is_default: plan.is_default === 1,
    is_retired: plan.retired_at !== null,
    customers_count: plan.active_customers,
    limits: {
      pages: plan.max_pages,
      people: plan.max_people,
      storage: plan.max_storage_bytes,
      domains: plan.max_domains,
    } satisfies Record<PlanLimit, number | null>,
  };
}
