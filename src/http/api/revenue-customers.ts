import { formatAccountId } from '../../accounts/account.ts';
import type { Db } from '../../db/database.ts';
import { partWithNext } from '../../db/part-of.ts';
import { AppError } from '../../errors.ts';
import { signedDecimal } from '../../plans/money.ts';
import { intervals } from '../../plans/plans.ts';
import {
  cursorOf,
  isRevenueFigure,
  listFigureCustomers,
  type RevenueCustomer,
  revenueFigures,
} from '../../revenue/list-figure-customers.ts';
import { checkDay } from '../../revenue/read-revenue-days.ts';
import { objectSchema, ref, textOrNull, textSchema } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { noPlan } from './list-plans.ts';
import { readOperation } from './operation.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';
import { amountJson, amountProperties, daySchema, periodProperties, priceOrNull } from './revenue-json.ts';
import { dayParameters, planParameter, readDays, readPlanId, wrongDay } from './revenue-parameters.ts';
import { isoTime } from './times.ts';

export const figureParameters = {
  figure: {
    ...textSchema(
      'The figure: customers at the end of the last day (`paying`, `free`), movements during the days, or customers who joined during the days (`came`) and are still active (`stayed`). `paying` by default.',
      'churn',
    ),
    enum: revenueFigures,
  },
  ...dayParameters,
  as_of: {
    ...textSchema(
      'For `came` and `stayed`: the day at the end of which the customers are listed; the last day by default.',
      '2026-06-30',
    ),
    format: 'date',
  },
  ...planParameter,
} as const;

export const listRevenueCustomersOperation = readOperation('GET /api/revenue/customers.json', {
  id: 'listRevenueCustomers',
  tag: 'Revenue',
  scope: 'revenue:read',
  summary: 'List the customers behind a figure',
  description:
    'The customers that a figure of the revenue counts, in parts. The annual amounts that they pay, or the changes of these amounts for a movement, add up to the figure exactly.',
  queryParameters: {
    ...figureParameters,
    ...partParameters('after', '12'),
  },
  answers: [{ status: 200, schema: 'RevenueCustomerList', description: 'The customers.' }, wrongDay, noPlan],
  schemas: {
    RevenueCustomerList: objectSchema({
      from: periodProperties.from,
      to: periodProperties.to,
      as_of: daySchema('For `came` and `stayed`: the day at the end of which the customers are listed.', '2026-06-30'),
      total: ref('RevenueMovement'),
      customers: {
        type: 'array',
        items: ref('RevenueCustomer'),
        description: 'In the order in which the customers joined or moved.',
      },
      next: nextSchema('after'),
    }),
    RevenueCustomer: objectSchema({
      customer_id: textSchema("Identifier of the customer's account.", 'account_12'),
      name: textSchema('Present name of the customer.', 'Acme Bakery'),
      is_deleted: {
        type: 'boolean',
        description: 'Whether the customer was deleted for good since.',
        examples: [false],
      },
      at: {
        ...textSchema(
          'When the customer reached this state, or when the movement happened.',
          '2026-06-12T08:56:03.000Z',
        ),
        format: 'date-time',
      },
      plan_name: textOrNull(
        'The plan, with its name at that time; null once the customer is suspended or deleted.',
        'Standard',
      ),
      plan_price: textOrNull('Price of the plan at that time.', '19.00'),
      plan_interval: {
        type: ['string', 'null'],
        enum: [...intervals, null],
        description: 'How often that price is due.',
        examples: ['month'],
      },
      annual_revenue: amountProperties.annual_revenue,
      annual_change: textSchema(
        'Change of the annual amount at that time. A decimal number, which may be negative.',
        '228.00',
      ),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { limit, after } = readPage(ctx.query);
    const figure = await readFigure(db, accountId, ctx.query);
    const { total, lines } = await listFigureCustomers(db, accountId, figure, { after, limit: limit + 1 });
    const { shown, next } = partWithNext(lines, limit, (last) => String(cursorOf(figure.figure, last)));
    const { from, to, asOf: as_of } = figure;
    const sum = { ...amountJson(total.annualCents), count: total.count };
    return { from, to, as_of, total: sum, customers: shown.map(customerJson), next };
  }),
});

function customerJson(line: RevenueCustomer) {
  return {
    customer_id: formatAccountId(line.customerId),
    name: line.name,
    is_deleted: line.deletedAt !== null,
    at: isoTime(line.at),
    plan_name: line.planName,
    plan_price: priceOrNull(line.priceCents),
    plan_interval: line.interval,
    annual_revenue: signedDecimal(line.annualCents),
    annual_change: signedDecimal(line.changeCents),
  };
}

/** @throws AppError `malformed`, or `not_found` for a plan of another account */
export async function readFigure(db: Db, accountId: number, query: string) {
  const figure = oneValue(query, 'figure') ?? 'paying';
  if (!isRevenueFigure(figure)) {
    throw new AppError('malformed', `"figure" must be one of ${revenueFigures.join(', ')}.`);
  }
  const asOf = oneValue(query, 'as_of');
  checkDay('as_of', asOf);
  const planId = await readPlanId(db, accountId, query);
  const { days } = await readDays(db, accountId, query);
  return { figure, planId, ...days, asOf: asOf ?? days.to };
}

/** @throws AppError `malformed` */
function readPage(query: string) {
  const after = oneValue(query, 'after') ?? '0';
  if (!/^\d{1,15}$/.test(after)) throw new AppError('malformed', '"after" must be "next" of the previous part.');
  return { after: Number(after), limit: readLimit(query) };
}
