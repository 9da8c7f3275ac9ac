import { operator } from '../audit/record-audit-event.ts';
import { updatePlan } from '../plans/change-plan.ts';
import { limitsOf, type PlanLimitValues } from '../plans/plan-fields.ts';
import { listPlans } from '../plans/plans.ts';
import { accountOption, command, commandOfAccount, type Option, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';
import { findPlan } from './find-by-name.ts';
import { counted } from './output.ts';
import { planJson } from './plan-json.ts';

const limitOption = (about: string) => ({ type: 'string', value: 'N|none', about }) as const satisfies Option;

export const limitOptions = {
  pages: limitOption('How many pages a customer may have.'),
  people: limitOption('How many people may have access, including invited people.'),
  storage: limitOption('How many megabytes of images.'),
  domains: limitOption('How many domains.'),
};

export const trialDaysOption = {
  type: 'string',
  value: 'N',
  about: 'How many days are free, for customers who have had no paid plan before.',
} as const satisfies Option;

/** Returns the number of days. A text that is not a number becomes NaN, which the verb refuses. */
export function readTrialDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

type LimitTexts = Record<keyof PlanLimitValues, string | undefined>;

/** Returns the limits of the options. A text that is not a number becomes NaN, which the verb refuses. */
export function readLimits({ pages, people, storage, domains }: LimitTexts) {
  const read = (text: string | undefined) => {
    if (text === undefined) return undefined;
    return text === 'none' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  return { pages: read(pages), people: read(people), storage: read(storage), domains: read(domains) };
}

/** Returns the limits in words: `10 pages, 3 people`. */
export function limitsInWords({ pages, people, storage, domains }: PlanLimitValues): string {
  const words = [
    pages !== null && counted(pages, 'page'),
    people !== null && (people === 1 ? '1 person' : `${people} people`),
    storage !== null && `${storage} MB of images`,
    domains !== null && counted(domains, 'domain'),
  ].filter((text) => text !== false);
  return words.join(', ') || 'no limits';
}

export const limitsCommand = command({
  about: 'Sets the limits of a plan for each of its customers.',
  details:
    'PLAN is its name or id (plan_3). Limits that are not given stay as they are; "none" removes one. Customers\n' +
    'over a limit keep what they have, and cannot add more.',
  options: { account: accountOption, ...limitOptions },
  positionals: ['PLAN'],
  example: 'Business --account acme --pages 50 --people 5',
  async run({ db, values, positionals: [which = ''] }) {
    const limits = readLimits(values);
    if (Object.values(limits).every((limit) => limit === undefined)) {
      throw new UsageError('plan limits needs one of --pages, --people, --storage and --domains.');
    }
    const plan = await db.transaction().execute(async (trx) => {
      const { id } = await findAccount(trx, values.account);
      const { id: planId } = findPlan(await listPlans(trx, id), which);
      return updatePlan(trx, id, { planId, ...limits }, operator);
    });
    return {
      text: `${plan.name} now allows each customer: ${limitsInWords(limitsOf(plan))}.`,
      json: { plan: planJson(plan) },
    };
  },
});

export const trialCommand = commandOfAccount({
  about: "Sets the days of a plan's free trial, for customers who have had no paid plan before.",
  details: 'PLAN is its name or id (plan_3). Trials that have begun do not change. 0: no trial.',
  positionals: ['PLAN', 'DAYS'],
  example: 'Business 14 --account acme',
  async run({ db, account: { id }, positionals: [which = '', days = ''] }) {
    const plan = await db.transaction().execute(async (trx) => {
      const { id: planId } = findPlan(await listPlans(trx, id), which);
      return updatePlan(trx, id, { planId, trialDays: readTrialDays(days) }, operator);
    });
    return { text: `${plan.name} has ${plan.trial_days} trial days.`, json: { plan: planJson(plan) } };
  },
});
