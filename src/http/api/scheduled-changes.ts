import { formatAccountId } from '../../accounts/account.ts';
import { partWithNext } from '../../db/part-of.ts';
import { AppError } from '../../errors.ts';
import { decimal } from '../../plans/money.ts';
import { intervals } from '../../plans/plans.ts';
import { isDay } from '../../revenue/days.ts';
import { type ListedScheduledChange, listScheduledChanges } from '../../scheduled-changes/scheduled-change.ts';
import { wrongParameter } from './answers.ts';
import { objectSchema, ref, textSchema } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { planIdSchema } from './list-plans.ts';
import { readOperation } from './operation.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';

export const listScheduledChangesOperation = readOperation('GET /api/scheduled-changes.json', {
  id: 'listScheduledChanges',
  tag: 'Customers',
  scope: 'customers:read',
  summary: 'List scheduled changes of plans',
  description:
    'The scheduled plan changes of customers, and those that could not be made on their day, earliest first, in parts. To schedule or cancel a change, change the customer.',
  queryParameters: {
    ...partParameters('after', '2099-01-01_12'),
  },
  answers: [
    { status: 200, schema: 'ScheduledChangeList', description: 'The changes.' },
    wrongParameter('"after" must be "next" of the previous part.'),
  ],
  schemas: {
    ScheduledChangeList: objectSchema({
      scheduled_changes: { type: 'array', items: ref('ScheduledChange'), description: 'Earliest first.' },
      next: nextSchema('after'),
    }),
    ScheduledChange: objectSchema({
      customer_id: textSchema("Identifier of the customer's account.", 'account_12'),
      customer_name: textSchema('Name of the customer.', 'Acme Bakery'),
      customer_subdomain: textSchema("Subdomain of the customer's site.", 'acme-bakery'),
      on: { ...textSchema('Day at the start of which the plan changes.', '2099-01-01'), format: 'date' },
      plan_id: planIdSchema,
      plan_name: textSchema('Name of the new plan.', 'Standard'),
      plan_price: textSchema('Price of the new plan. A decimal number.', '19.00'),
      plan_interval: {
        type: 'string',
        enum: intervals,
        description: 'How often the price is due.',
        examples: ['month'],
      },
      failure: {
        type: ['string', 'null'],
        enum: [null, 'customer_deleted', 'customer_suspended', 'plan_retired', 'over_limits'],
        description: 'Why the change could not be made on its day; null if it is still scheduled.',
        examples: [null],
      },
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { limit, after } = readQuery(ctx.query);
    const found = await listScheduledChanges(db, accountId, { limit: limit + 1, after });
    const { shown, next } = partWithNext(found, limit, ({ day, id }) => `${day}_${id}`);
    return { scheduled_changes: shown.map(changeJson), next };
  }),
});

function changeJson({ customerId, customer, day, plan, failure }: ListedScheduledChange) {
  return {
    customer_id: formatAccountId(customerId),
    customer_name: customer.name,
    customer_subdomain: customer.subdomain,
    on: day,
    plan_id: `plan_${plan.id}`,
    plan_name: plan.name,
    plan_price: decimal(plan.price_cents),
    plan_interval: plan.interval,
    failure,
  };
}

/** @throws AppError `malformed` */
function readQuery(query: string) {
  const limit = readLimit(query);
  const place = oneValue(query, 'after');
  if (place === undefined) return { limit };
  const [, day = '', id] = /^(\d{4}-\d{2}-\d{2})_(\d{1,15})$/.exec(place) ?? [];
  if (!isDay(day)) throw new AppError('malformed', '"after" must be "next" of the previous part.');
  return { limit, after: { day, id: Number(id) } };
}
