import { formatAccountId } from '../../accounts/account.ts';
import { partWithNext } from '../../db/part-of.ts';
import { AppError } from '../../errors.ts';
import { decimal, signedDecimal } from '../../plans/money.ts';
import { intervals } from '../../plans/plans.ts';
import { isDay } from '../../revenue/days.ts';
import { readForecastCursor, writeForecastCursor } from '../../revenue/forecast-cursor.ts';
import { type ForecastLine, getForecast, listForecast } from '../../revenue/get-forecast.ts';
import { countSchema, objectSchema, ref, textSchema } from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { readOperation } from './operation.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';
import { amountJson, amountProperties, daySchema } from './revenue-json.ts';
import { wrongDay } from './revenue-parameters.ts';

const shared = { tag: 'Revenue', scope: 'revenue:read' } as const;

export const getForecastOperation = readOperation('GET /api/revenue/forecast.json', {
  ...shared,
  id: 'getForecast',
  summary: 'Read the forecast',
  description:
    'Forecasts the effect of scheduled plan changes and of ending trials on the revenue, by month. Suspended customers, and changes that cannot be made, are left out.',
  answers: [{ status: 200, schema: 'Forecast', description: 'The forecast.' }],
  schemas: {
    Forecast: objectSchema({
      ...amountProperties,
      months: { type: 'array', items: ref('ForecastMonth'), description: 'The months with changes, earliest first.' },
    }),
    ForecastMonth: objectSchema({
      month: textSchema('The month.', '2026-12'),
      scheduled_changes: ref('ForecastAmount'),
      ends_of_trials: ref('ForecastAmount'),
      ...amountProperties,
    }),
    ForecastAmount: objectSchema({
      count: countSchema('Number of changes.'),
      monthly_revenue: textSchema('Change of the monthly revenue. It may be negative.', '19.00'),
      annual_revenue: textSchema('Exact change of the annual revenue. It may be negative.', '228.00'),
    }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => {
    const { annualCents, months } = await getForecast(db, accountId);
    const list = months.map(({ month, moves, trials, annualCents: annual }) => ({
      month,
      scheduled_changes: { count: moves.count, ...amountJson(moves.annualCents) },
      ends_of_trials: { count: trials.count, ...amountJson(trials.annualCents) },
      ...amountJson(annual),
    }));
    return { ...amountJson(annualCents), months: list };
  }),
});

export const listForecastChangesOperation = readOperation('GET /api/revenue/forecast/changes.json', {
  ...shared,
  id: 'listForecastChanges',
  summary: 'List the changes of the forecast',
  description:
    'The scheduled changes and ends of trials behind the forecast, earliest first, in parts. They add up to the amounts of the forecast.',
  queryParameters: {
    month: textSchema('Only changes in this month.', '2026-12'),
    ...partParameters('after', '2026-12-01_12_move'),
  },
  answers: [{ status: 200, schema: 'ForecastChangeList', description: 'The changes.' }, wrongDay],
  schemas: {
    ForecastChangeList: objectSchema({
      changes: { type: 'array', items: ref('ForecastChange'), description: 'Earliest first.' },
      next: nextSchema('after'),
    }),
    ForecastChange: objectSchema({
      on: daySchema('Day of the change.', '2026-12-01'),
      kind: {
        type: 'string',
        enum: ['move', 'trial'],
        description: '`move`: a scheduled change of the plan. `trial`: the trial ends.',
        examples: ['move'],
      },
      customer_id: textSchema("Identifier of the customer's account.", 'account_12'),
      customer_name: textSchema('Name of the customer.', 'Acme Bakery'),
      from_plan_name: textSchema('Name of the plan before the change.', 'Free'),
      to_plan_name: textSchema(
        'Name of the plan after the change, which stays the same when a trial ends.',
        'Standard',
      ),
      plan_price: textSchema('Price of the plan after the change. A decimal number.', '19.00'),
      plan_interval: {
        type: 'string',
        enum: intervals,
        description: 'How often that price is due.',
        examples: ['month'],
      },
      annual_change: textSchema(
        'Change of what the customer pays in a year. A decimal number, which may be negative.',
        '228.00',
      ),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { limit, ...page } = readQuery(ctx.query);
    const lines = await listForecast(db, accountId, { ...page, limit: limit + 1 });
    const { shown, next } = partWithNext(lines, limit, writeForecastCursor);
    return { changes: shown.map(changeJson), next };
  }),
});

function changeJson({ day, kind, customerId, name, from, to, priceCents, interval, changeCents }: ForecastLine) {
  return {
    on: day,
    kind,
    customer_id: formatAccountId(customerId),
    customer_name: name,
    from_plan_name: from,
    to_plan_name: to,
    plan_price: decimal(priceCents),
    plan_interval: interval,
    annual_change: signedDecimal(changeCents),
  };
}

/** @throws AppError `malformed` */
function readQuery(query: string) {
  const limit = readLimit(query);
  const [month, place] = [oneValue(query, 'month'), oneValue(query, 'after')];
  if (month !== undefined && !isDay(`${month}-01`)) {
    throw new AppError('malformed', '"month" must be a month like 2026-12.');
  }
  return { limit, month, after: place === undefined ? undefined : readForecastCursor(place) };
}
