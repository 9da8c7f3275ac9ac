import { AppError } from '../../errors.ts';
import { monthlyDecimal, parseCents } from '../../plans/money.ts';
import { getPlan } from '../../plans/plans.ts';
import { changePrice, undoPriceChange } from '../../scheduled-changes/change-price.ts';
import { listWaitingPriceChanges, previewPriceChange } from '../../scheduled-changes/price-change.ts';
import { badRequest, malformed, missing, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { idInPath } from './ids.ts';
import { countSchema, idSchema, objectSchema, ref, type Schema, successWith, textSchema } from './json-schema.ts';
import { noPlan, planIdSchema, planJson, planSchema } from './list-plans.ts';
import { changeOperation, type ObjectSchema, readOperation, textField, textOrNumberField } from './operation.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';

const changeId: Schema = idSchema('change', 'Identifier of the change.');

const schemas = {
  Plan: planSchema,
  PriceChanged: successWith({
    id: changeId,
    plan: ref('Plan'),
    customers_count: countSchema('How many customers it moves.'),
  }),
} as const;

const shared = {
  scope: 'plans:write',
  schemas,
} as const;

const newPrice: ObjectSchema<'name' | 'price' | 'from'> = {
  object: 'plan',
  name: 'NewPrice',
  fields: {
    name: textField('Name of the plan at the new price, unique within the account.', 'Standard 2027', {
      required: true,
      maxLength: 255,
    }),
    price: textOrNumberField('The new price for an interval.', '24.00', { required: true }),
    from: textField(
      'A later day in the time zone of your account, from which the customers on the plan pay the new price, too. Blank: they keep the old one.',
      '2099-01-01',
    ),
  },
};

export const changePriceOperation = changeOperation('POST /api/plans/{id}/price.json', {
  ...shared,
  tag: 'Plans',
  id: 'changePrice',
  summary: 'Change the price of a plan',
  description:
    'Sells the plan at another price: a new plan with the same limits takes its place, and the old one is retired. With a day, its customers move then, except those with another scheduled change. It can be taken back until that day, or for 10 minutes without one.',
  input: newPrice,
  exampleFields: ['from'],
  answers: [
    { status: 200, schema: 'PriceChanged', description: 'The plan is sold at the new price.' },
    malformed,
    noPlan,
    refused('Rules were broken, the plan is retired, or there are too many plans.', [
      ['price', 'is the same as before'],
    ]),
  ],
  fingerprintName: 'change price',
  answerOf: (changed) => changed as object,
  prepare: async ({ fields: { name = '', price = '', from }, caller, ctx, id: text }) => {
    const { accountId } = caller;
    const input = { planId: idInPath('plan', text), name, price, day: from?.trim() || undefined };
    return changing(
      caller,
      ctx,
      async (trx, by) => {
        const { id, planId, moves } = await changePrice(trx, accountId, input, by);
        return { id: `change_${id}`, plan: planJson(await getPlan(trx, accountId, planId)), customers_count: moves };
      },
      { day: 'from' },
    );
  },
});

export const previewPriceOperation = readOperation('GET /api/plans/{id}/price.json', {
  id: 'previewPrice',
  tag: 'Plans',
  scope: 'plans:read',
  summary: 'Preview a price',
  description: 'Calculates the effect of another price if the customers on the plan paid it. Nothing is changed.',
  queryParameters: {
    price: textSchema('The new price for an interval; the present one if it is not given.', '24.00'),
  },
  answers: [
    { status: 200, schema: 'PricePreview', description: 'Who would move, and what they would pay.' },
    badRequest('`price` is not an amount, or is given twice.', '"price" must be an amount like 24.00.'),
    noPlan,
  ],
  schemas: {
    PricePreview: objectSchema({
      customers_count: countSchema('How many customers would move.'),
      active_customers_count: countSchema('How many of them are not suspended.'),
      other_changes_count: countSchema('How many customers on the plan have another scheduled change, which stays.'),
      monthly_revenue: textSchema(
        'Monthly revenue from the customers who would move, at the present price. A decimal number.',
        '228.00',
      ),
      new_monthly_revenue: textSchema('Their monthly revenue at the new price. A decimal number.', '288.00'),
    }),
  },
  handler: reading(async ({ ctx, caller: { accountId }, dependencies: { db }, id: text }) => {
    const planId = idInPath('plan', text);
    const price = oneValue(ctx.query, 'price');
    if (price !== undefined && parseCents(price) === undefined) {
      throw new AppError('malformed', '"price" must be an amount like 24.00.');
    }
    const found = await previewPriceChange(db, accountId, { planId, price: price ?? '' });
    const preview = {
      customers_count: found.moves,
      active_customers_count: found.active,
      other_changes_count: found.others,
      monthly_revenue: monthlyDecimal(found.annualCents),
      new_monthly_revenue: monthlyDecimal(found.newAnnualCents),
    };
    return preview;
  }),
});

export const listPriceChangesOperation = readOperation('GET /api/price-changes.json', {
  id: 'listPriceChanges',
  tag: 'Price changes',
  scope: 'plans:read',
  summary: 'List price changes',
  description: 'The changes of prices that wait for their day, the next first.',
  answers: [{ status: 200, schema: 'PriceChangeList', description: 'The changes.' }],
  schemas: {
    PriceChangeList: objectSchema({
      price_changes: { type: 'array', items: ref('PriceChange'), description: 'The next first.' },
    }),
    PriceChange: objectSchema({
      id: changeId,
      plan_id: { ...planIdSchema, description: 'Identifier of the plan whose customers move.' },
      new_plan_id: {
        ...planIdSchema,
        description: 'Identifier of the plan at the new price.',
        examples: ['plan_4'],
      },
      from: { ...textSchema('The day on which they move.', '2099-01-01'), format: 'date' },
      customers_count: countSchema('How many customers it will move.'),
    }),
  },
  handler: reading(async ({ caller: { accountId }, dependencies: { db } }) => {
    const changes = await listWaitingPriceChanges(db, accountId);
    const list = changes.map(({ id, fromPlanId, toPlanId, day, moves }) => ({
      ...{ id: `change_${id}`, plan_id: `plan_${fromPlanId}`, new_plan_id: `plan_${toPlanId}` },
      ...{ from: day, customers_count: moves },
    }));
    return { price_changes: list };
  }),
});

export const undoPriceChangeOperation = changeOperation('DELETE /api/price-changes/{id}.json', {
  ...shared,
  tag: 'Price changes',
  id: 'undoPriceChange',
  summary: 'Take back a price change',
  description:
    'Offers the old plan again, whose customers stay on it. The new plan is deleted if nobody has been on it, or else retired.',
  answers: [
    { status: 200, schema: 'Success', description: 'The plan has its old price.' },
    missing(
      'There is no change with this id that can be taken back: its day has begun, or 10 minutes are over.',
      'The price change does not exist.',
    ),
  ],
  fingerprintName: 'undo price change',
  prepare: changingById('change', undoPriceChange),
});
