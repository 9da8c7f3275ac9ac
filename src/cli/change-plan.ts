import { type Actor, operator } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { makePlanDefault, movePlan, restorePlan, retirePlan, updatePlan } from '../plans/change-plan.ts';
import { getPlan, listPlans, type PlanRow } from '../plans/plans.ts';
import { commandOfAccount, UsageError } from './command.ts';
import { findPlan } from './find-by-name.ts';
import { planJson } from './plan-json.ts';

interface PlanCommand {
  about: string;
  /** The name of the positional after the plan, if there is one. */
  value?: string;
  example: string;
  change: (trx: Trx, accountId: number, planId: number, by: Actor, value: string) => Promise<PlanRow>;
  text: (plan: PlanRow) => string;
}

export const renameCommand = planCommand({
  about: 'Renames a plan.',
  value: 'NAME',
  example: 'Business Studio',
  change: (trx, accountId, planId, by, name) => updatePlan(trx, accountId, { planId, name }, by),
  text: ({ name }) => `The plan is now called "${name}".`,
});

export const describeCommand = planCommand({
  about: 'Sets the description of a plan.',
  value: 'DESCRIPTION',
  example: 'Business "For companies with a shop"',
  change: (trx, accountId, planId, by, description) => updatePlan(trx, accountId, { planId, description }, by),
  text: ({ name }) => `${name} has a new description.`,
});

export const moveCommand = planCommand({
  about: 'Moves a plan to another place in the list of plans. The first place is 1.',
  value: 'PLACE',
  example: 'Business 1',
  change: async (trx, accountId, planId, by, place) => {
    if (!/^[1-9]\d{0,5}$/.test(place)) throw new UsageError('PLACE must be a whole number from 1.');
    await movePlan(trx, accountId, { planId, position: Number(place) }, by);
    return getPlan(trx, accountId, planId);
  },
  text: ({ name }) => `${name} has moved.`,
});

export const defaultCommand = planCommand({
  about: 'Makes a plan the default for new customers.',
  example: 'Business',
  change: makePlanDefault,
  text: ({ name }) => `New customers are now put on ${name}.`,
});

export const retireCommand = planCommand({
  about: 'Retires a plan: its customers keep it, and nobody else can get it.',
  example: 'Business',
  change: retirePlan,
  text: ({ name, active_customers }) => `${name} is now retired. Active customers who stay on it: ${active_customers}.`,
});

export const restoreCommand = planCommand({
  about: 'Offers a retired plan again.',
  example: 'Business',
  change: restorePlan,
  text: ({ name }) => `${name} is now offered.`,
});

function planCommand({ about, value, example, change, text }: PlanCommand) {
  return commandOfAccount({
    about,
    details: 'PLAN is its name or id (plan_3).',
    positionals: value === undefined ? ['PLAN'] : ['PLAN', value],
    example: `${example} --account acme`,
    async run({ db, account: { id }, positionals: [which = '', input = ''] }) {
      const plan = await db
        .transaction()
        .execute(async (trx) => change(trx, id, findPlan(await listPlans(trx, id), which).id, operator, input));
      return { text: text(plan), json: { plan: planJson(plan) } };
    },
  });
}
