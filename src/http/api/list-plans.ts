import { decimal } from '../../plans/money.ts';
import { listPlans } from '../../plans/plans.ts';
import { type PlanLimit, planLimits } from '../../tenancy/plan-limits.ts';
import { jsonContent } from './json-content.ts';
import { objectSchema, ref, type Schema, textSchema } from './json-schema.ts';
import type { ReadOperation } from './operation.ts';

const limitSchema: Schema = {
  type: ['integer', 'null'],
  description: 'At most so much; null for any. Storage is in bytes.',
  examples: [10],
};

export const listPlansOperation: ReadOperation = {
  id: 'listPlans',
  method: 'GET',
  path: '/api/plans.json',
  tag: 'Customers',
  scope: 'customers:read',
  summary: 'List plans',
  description: 'The plans that the account sells, in the order of the admin app, with their prices and limits.',
  answers: [{ status: 200, schema: 'PlanList', description: 'The plans.' }],
  schemas: {
    PlanList: objectSchema({ plans: { type: 'array', items: ref('Plan'), description: 'In their order.' } }),
    Plan: objectSchema({
      id: { ...textSchema('Plan identifier.', 'plan_3'), pattern: '^plan_[1-9][0-9]*$' },
      name: textSchema('Name of the plan.', 'Standard'),
      description: textSchema('For the people of the account; may be empty.', 'For shops'),
      price: textSchema('Price for an interval. A decimal number.', '19.00'),
      interval: {
        type: 'string',
        enum: ['month', 'quarter', 'year'],
        description: 'How often the price is due.',
        examples: ['month'],
      },
      trial_days: { type: 'integer', description: 'How many days cost nothing at first.', examples: [14] },
      is_default: { type: 'boolean', description: 'Whether new customers get it.', examples: [true] },
      is_retired: { type: 'boolean', description: 'Whether no more customers can get it.', examples: [false] },
      customers_count: { type: 'integer', description: 'How many active customers are on it.', examples: [12] },
      limits: objectSchema(Object.fromEntries(planLimits.map((limit) => [limit, limitSchema]))),
    }),
  },
  handler:
    ({ db }) =>
    async (ctx, { accountId }) => {
      const plans = (await listPlans(db, accountId)).map((plan) => ({
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
      }));
      return jsonContent({ plans }).answer(ctx);
    },
};
