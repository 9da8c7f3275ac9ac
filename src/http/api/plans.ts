import { changeCurrency } from '../../accounts/change-currency.ts';
import type { UserActor } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { makePlanDefault, movePlan, restorePlan, retirePlan, updatePlan } from '../../plans/change-plan.ts';
import { createPlan, getPlan } from '../../plans/plans.ts';
import { malformed, refused } from './answers.ts';
import { changing } from './changing.ts';
import { idInPath } from './ids.ts';
import { ref, successWith, textSchema } from './json-schema.ts';
import { noPlan, planJson, planSchema } from './list-plans.ts';
import { changeOperation, textField } from './operation.ts';
import { newPlan, type PlanChange, parseNewPlan, parsePlanChange, planChanges, planFieldNames } from './plan-input.ts';

const schemas = {
  PlanChanged: successWith({ plan: ref('Plan') }),
  CurrencyChanged: successWith({ currency: textSchema('The currency, by its code of ISO 4217.', 'EUR') }),
  Plan: planSchema,
} as const;

const shared = {
  tag: 'Plans',
  scope: 'plans:write',
  schemas,
} as const;

const planAnswer = (plan: unknown) => ({ plan });

export const createPlanOperation = changeOperation('POST /api/plans.json', {
  ...shared,
  id: 'createPlan',
  summary: 'Create a plan',
  description: 'Adds a plan to those that the account sells.',
  input: newPlan,
  exampleFields: ['pages'],
  answers: [
    { status: 200, schema: 'PlanChanged', description: 'The plan is created.' },
    malformed,
    refused('Rules were broken, or there are too many plans.', [['name', 'has already been taken']]),
  ],
  fingerprintName: 'create plan',
  answerOf: planAnswer,
  prepare: async ({ fields: texts, caller, ctx }) => {
    const input = parseNewPlan(texts);
    return changing(
      caller,
      ctx,
      async (trx, by) => {
        const id = await createPlan(trx, caller.accountId, input, by);
        return planJson(await getPlan(trx, caller.accountId, id));
      },
      planFieldNames,
    );
  },
});

export const changePlanOperation = changeOperation('PATCH /api/plans/{id}.json', {
  ...shared,
  id: 'changePlan',
  summary: 'Change a plan',
  description:
    'Changes all of a plan but its price and interval. Fields that are not sent stay as they are. All that is sent is done, or nothing. Customers who have more than a new limit keep it, and get no more.',
  input: planChanges,
  exampleFields: ['description', 'trial_days', 'pages'],
  answers: [
    { status: 200, schema: 'PlanChanged', description: 'The plan is as requested.' },
    malformed,
    noPlan,
    refused('Rules were broken, and nothing was changed.', [['name', 'has already been taken']]),
  ],
  fingerprintName: 'change plan',
  answerOf: planAnswer,
  prepare: async ({ fields: texts, caller, ctx, id: text }) => {
    const input = parsePlanChange(texts);
    const planId = idInPath('plan', text);
    return changing(
      caller,
      ctx,
      async (trx, by) => {
        await applyChange(trx, caller.accountId, { planId, ...input }, by);
        return planJson(await getPlan(trx, caller.accountId, planId));
      },
      planFieldNames,
    );
  },
});

export const changeCurrencyOperation = changeOperation('PATCH /api/plans.json', {
  ...shared,
  id: 'changeCurrency',
  summary: 'Choose the currency',
  description:
    'Says in which currency the prices of all plans are. Amounts are never converted: once somebody is on a plan with a price, the currency stays as it is.',
  input: {
    object: 'plans',
    name: 'PlansChanges',
    fields: {
      currency: textField('Its code of ISO 4217.', 'EUR', { required: true }),
    },
  },
  answers: [
    { status: 200, schema: 'CurrencyChanged', description: 'The prices are in this currency.' },
    malformed,
    refused('There is no such currency, or customers pay in another one.', [
      ['currency', 'is not the code of a currency, like EUR'],
    ]),
  ],
  fingerprintName: 'change currency',
  answerOf: (currency) => ({ currency }),
  prepare: async ({ fields: { currency = '' }, caller, ctx }) =>
    changing(caller, ctx, (trx, by) => changeCurrency(trx, caller.accountId, currency, by)),
});

async function applyChange(
  trx: Trx,
  accountId: number,
  { planId, fields, position, isDefault, isRetired }: PlanChange & { planId: number },
  by: UserActor,
): Promise<void> {
  if (Object.keys(fields).length > 0) await updatePlan(trx, accountId, { planId, ...fields }, by);
  if (isRetired === false) await restorePlan(trx, accountId, planId, by);
  if (isDefault) await makePlanDefault(trx, accountId, planId, by);
  if (isRetired) await retirePlan(trx, accountId, planId, by);
  if (position !== undefined) await movePlan(trx, accountId, { planId, position }, by);
}
