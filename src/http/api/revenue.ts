import { getCurrency } from '../../plans/get-currency.ts';
import { getCohorts } from '../../revenue/get-cohorts.ts';
import { getRevenueByPlan } from '../../revenue/get-revenue-by-plan.ts';
import { getRevenueReport, revenueSteps } from '../../revenue/revenue-report.ts';
import { countSchema, objectSchema, ref, type Schema, textSchema } from './json-schema.ts';
import { currencySchema, noPlan, planIdSchema } from './list-plans.ts';
import { readOperation } from './operation.ts';
import { reading } from './reading.ts';
import {
  amountJson,
  amountProperties,
  daySchema,
  periodJson,
  periodProperties,
  periodSchemas,
  totalsJson,
} from './revenue-json.ts';
import { dayParameters, planParameter, readDays, readPlanId, stepParameter, wrongDay } from './revenue-parameters.ts';

const shared = { tag: 'Revenue', scope: 'revenue:read' } as const;

const stepSchema: Schema = {
  type: 'string',
  enum: revenueSteps,
  description: 'The length of the periods.',
  examples: ['month'],
};

export const getRevenueOperation = readOperation('GET /api/revenue.json', {
  ...shared,
  id: 'getRevenue',
  summary: 'Read recurring revenue',
  description:
    "Reports the recurring revenue of the customers' plans at both ends of a range of days and of each period in it, and the movements in between: new, expansion, contraction, churn and reactivation. Past figures never change.",
  queryParameters: { ...dayParameters, ...stepParameter, ...planParameter },
  answers: [{ status: 200, schema: 'Revenue', description: 'The revenue.' }, wrongDay, noPlan],
  schemas: {
    ...periodSchemas,
    Revenue: objectSchema({
      time_zone: textSchema('The time zone of the days.', 'Europe/Berlin'),
      currency: currencySchema,
      step: stepSchema,
      ...periodProperties,
      periods: {
        type: 'array',
        items: ref('RevenuePeriod'),
        description: 'The months, quarters or years of the range. The first and the last may be partial.',
      },
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { days, step } = await readDays(db, accountId, ctx.query);
    const planId = await readPlanId(db, accountId, ctx.query);
    const report = await getRevenueReport(db, accountId, days, step, planId);
    const currency = (await getCurrency(db, accountId)) || null;
    const { timeZone: time_zone, periods } = report;
    const revenue = { time_zone, currency, step, ...periodJson(report), periods: periods.map(periodJson) };
    return revenue;
  }),
});

export const listPlanRevenueOperation = readOperation('GET /api/revenue/plans.json', {
  ...shared,
  id: 'listPlanRevenue',
  summary: 'Read revenue by plan',
  description:
    'Reports the recurring revenue of each plan that has ever had a customer, at both ends of a range of days. The plans add up to the revenue of the account.',
  queryParameters: dayParameters,
  answers: [{ status: 200, schema: 'PlanRevenueList', description: 'The plans.' }, wrongDay],
  schemas: {
    PlanRevenueList: objectSchema({
      from: periodProperties.from,
      to: periodProperties.to,
      plans: { type: 'array', items: ref('PlanRevenue'), description: 'In the order of the list of plans.' },
    }),
    PlanRevenue: objectSchema({
      plan_id: planIdSchema,
      name: textSchema('Present name of the plan.', 'Standard'),
      start: ref('RevenueTotals'),
      end: ref('RevenueTotals'),
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { days } = await readDays(db, accountId, ctx.query);
    const plans = (await getRevenueByPlan(db, accountId, days)).map(({ planId, name, start, end }) => ({
      plan_id: `plan_${planId}`,
      name,
      start: totalsJson(start),
      end: totalsJson(end),
    }));
    return { ...days, plans };
  }),
});

export const listCohortsOperation = readOperation('GET /api/revenue/cohorts.json', {
  ...shared,
  id: 'listCohorts',
  summary: 'Read cohorts',
  description:
    'How many of the customers who joined in each period of a range are still active at the end of the range, and what they pay then.',
  queryParameters: { ...dayParameters, ...stepParameter },
  answers: [{ status: 200, schema: 'CohortList', description: 'The cohorts.' }, wrongDay],
  schemas: {
    CohortList: objectSchema({
      from: periodProperties.from,
      to: periodProperties.to,
      step: stepSchema,
      cohorts: { type: 'array', items: ref('Cohort'), description: 'Earliest first.' },
    }),
    Cohort: objectSchema({
      from: daySchema('First day of the period in which the customers joined.', '2026-06-01'),
      to: daySchema('Last day of that period.', '2026-06-30'),
      customers_count: countSchema('Number of customers who joined.'),
      active_customers_count: countSchema('Number of these customers who are active at the end of the range.', 10),
      ...amountProperties,
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const { days, step } = await readDays(db, accountId, ctx.query);
    const cohorts = (await getCohorts(db, accountId, days, step)).map(
      ({ from, to, count, activeCount, annualCents }) => ({
        from,
        to,
        customers_count: count,
        active_customers_count: activeCount,
        ...amountJson(annualCents),
      }),
    );
    return { ...days, step, cohorts };
  }),
});
