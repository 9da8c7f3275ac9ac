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
    customers_count: countSchema('Number of customers that the change moves.'),
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
    price: textOrNumberField('The new price per interval.', '24.00', { required: true }),
    from: textField(
      'A later day in the time zone of your account, from which the customers on the plan pay the new price too. Blank: they keep the old price.',
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
    'Sells the plan at another price: a new plan with the same limits replaces it, and the old plan is retired. With a day, customers move to the new plan on that day, except customers with another scheduled change. The change can be undone until that day, or for 10 minutes if there is no day.',
  input: newPrice,
  exampleFields: ['from'],
  answers: [
    { status: 200, schema: 'PriceChanged', description: 'The price was changed.' },
    malformed,
    noPlan,
    refused('Validation failed, the plan is retired, or there are too many plans.', [
      ['price', 'is the same as before'],
    ]),
  ],
  fingerprintName: 'change price',
  answerOf: (changed) => changed as object,
  prepare: async ({ fields: { name = '', price = '', from }, keyOwner, ctx, id: text }) => {
    const { accountId } = keyOwner;
    const input = { planId: idInPath('plan', text), name, price, day: from?.trim() || undefined };
    return changing(
      keyOwner,
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
    price: textSchema('The new price per interval; the present price by default.', '24.00'),
  },
  answers: [
    { status: 200, schema: 'PricePreview', description: 'How many customers would move, and what they would pay.' },
    badRequest('`price` is not an amount, or is given twice.', '"price" must be an amount like 24.00.'),
    noPlan,
  ],
  schemas: {
    PricePreview: objectSchema({
      customers_count: countSchema('Number of customers who would move.'),
      active_customers_count: countSchema('Number of these customers who are not suspended.'),
      other_changes_count: countSchema(
        'Number of customers on the plan who have another scheduled change and would not move.',
      ),
      monthly_revenue: textSchema(
        'Monthly revenue from the customers who would move, at the present price. A decimal number.',
        '228.00',
      ),
      new_monthly_revenue: textSchema('Their monthly revenue at the new price. A decimal number.', '288.00'),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db }, id: text }) => {
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
  description: 'Price changes that are scheduled for a later day, earliest first.',
  answers: [{ status: 200, schema: 'PriceChangeList', description: 'The changes.' }],
  schemas: {
    PriceChangeList: objectSchema({
      price_changes: { type: 'array', items: ref('PriceChange'), description: 'Earliest first.' },
    }),
    PriceChange: objectSchema({
      id: changeId,
      plan_id: { ...planIdSchema, description: 'Identifier of the plan whose customers move.' },
      new_plan_id: {
        ...planIdSchema,
        description: 'Identifier of the plan at the new price.',
        examples: ['plan_4'],
      },
      from: { ...textSchema('Day on which the customers move.', '2099-01-01'), format: 'date' },
      customers_count: countSchema('Number of customers who will move.'),
    }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => {
    const changes = await listWaitingPriceChanges(db, accountId);
    const list = changes.map(({ id, fromPlanId, toPlanId, day, moves }) => ({
      id: `change_${id}`,
      plan_id: `plan_${fromPlanId}`,
      new_plan_id: `plan_${toPlanId}`,
      from: day,
      customers_count: moves,
    }));
    return { price_changes: list };
  }),
});

export const undoPriceChangeOperation = changeOperation('DELETE /api/price-changes/{id}.json', {
  ...shared,
  tag: 'Price changes',
  id: 'undoPriceChange',
  summary: 'Undo a price change',
  description:
    'Offers the old plan again, and keeps its customers on it. The new plan is deleted if it never had a customer, and retired otherwise.',
  answers: [
    { status: 200, schema: 'Success', description: 'The price change was undone.' },
    missing(
      'There is no price change with this id that can be undone: its day has begun, or 10 minutes have passed.',
      'The price change does not exist.',
    ),
  ],
  fingerprintName: 'undo price change',
  prepare: changingById('change', undoPriceChange),
});
