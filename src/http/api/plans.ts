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
  CurrencyChanged: successWith({ currency: textSchema('ISO 4217 code of the currency.', 'EUR') }),
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
  description: 'Creates a plan that the account sells to its customers.',
  input: newPlan,
  exampleFields: ['pages'],
  answers: [
    { status: 200, schema: 'PlanChanged', description: 'The plan was created.' },
    malformed,
    refused('Validation failed, or there are too many plans.', [['name', 'has already been taken']]),
  ],
  fingerprintName: 'create plan',
  answerOf: planAnswer,
  prepare: async ({ fields: texts, keyOwner, ctx }) => {
    const input = parseNewPlan(texts);
    return changing(
      keyOwner,
      ctx,
      async (trx, by) => {
        const id = await createPlan(trx, keyOwner.accountId, input, by);
        return planJson(await getPlan(trx, keyOwner.accountId, id));
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
    'Changes a plan, except its price and interval. Fields that are not sent stay as they are. Either all changes are made or none. Customers above a new limit keep what they have, but cannot add more.',
  input: planChanges,
  exampleFields: ['description', 'trial_days', 'pages'],
  answers: [
    { status: 200, schema: 'PlanChanged', description: 'The plan has the requested values.' },
    malformed,
    noPlan,
    refused('Validation failed, and nothing was changed.', [['name', 'has already been taken']]),
  ],
  fingerprintName: 'change plan',
  answerOf: planAnswer,
  prepare: async ({ fields: texts, keyOwner, ctx, id: text }) => {
    const input = parsePlanChange(texts);
    const planId = idInPath('plan', text);
    return changing(
      keyOwner,
      ctx,
      async (trx, by) => {
        await applyChange(trx, keyOwner.accountId, { planId, ...input }, by);
        return planJson(await getPlan(trx, keyOwner.accountId, planId));
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
    'Sets the currency of all prices. Amounts are never converted: once a customer is on a plan with a price, the currency cannot be changed.',
  input: {
    object: 'plans',
    name: 'PlansChanges',
    fields: {
      currency: textField('ISO 4217 code of the currency.', 'EUR', { required: true }),
    },
  },
  answers: [
    { status: 200, schema: 'CurrencyChanged', description: 'The currency was set.' },
    malformed,
    refused('The currency does not exist, or customers already pay in another currency.', [
      ['currency', 'is not the code of a currency, like EUR'],
    ]),
  ],
  fingerprintName: 'change currency',
  answerOf: (currency) => ({ currency }),
  prepare: async ({ fields: { currency = '' }, keyOwner, ctx }) =>
    changing(keyOwner, ctx, (trx, by) => changeCurrency(trx, keyOwner.accountId, currency, by)),
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
