import { operator } from '../audit/record-audit-event.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { decimal } from '../plans/money.ts';
import { limitsOf } from '../plans/plan-fields.ts';
import { createPlan, getPlan, intervals, listPlansOf, type PlanRow } from '../plans/plans.ts';
import {
  defaultCommand,
  describeCommand,
  moveCommand,
  renameCommand,
  restoreCommand,
  retireCommand,
} from './change-plan.ts';
import { command, commandOfAccount, type Group, onlyAccountOption } from './command.ts';
import { findAccount } from './find-account.ts';
import { formatPlanId } from './find-by-name.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';
import { planJson } from './plan-json.ts';
import {
  limitOptions,
  limitsCommand,
  limitsInWords,
  readLimits,
  readTrialDays,
  trialCommand,
  trialDaysOption,
} from './plan-limits.ts';
import { priceCommand, priceUndoCommand } from './plan-price.ts';

const list = command({
  about: 'Lists the plans that an account offers, or the plans of all accounts.',
  options: { account: onlyAccountOption },
  example: '--account acme',
  async run({ db, values }) {
    const { account } = values;
    const seller = account === undefined ? undefined : (await findAccount(db, account)).id;
    const plans = readBatches<PlanRow & { seller: string }>((last, limit) =>
      listPlansOf(db, seller, { after: last?.id ?? 0, limit }),
    );
    const ofAll = (cell: string) => (account === undefined ? [cell] : []);
    return {
      listing: {
        name: 'plans',
        head: [
          'ID',
          ...ofAll('ACCOUNT'),
          'NAME',
          'PRICE',
          'INTERVAL',
          'TRIAL DAYS',
          'DEFAULT',
          'ACTIVE CUSTOMERS',
          'CREATED',
          'RETIRED',
          'LIMITS',
        ],
        empty: account === undefined ? 'There are no plans.' : 'The account offers no plans.',
        parts: mapBatches(plans, (plan) => ({
          cells: [
            formatPlanId(plan.id),
            ...ofAll(plan.seller),
            plan.name,
            decimal(plan.price_cents),
            plan.interval,
            plan.trial_days === 0 ? '' : String(plan.trial_days),
            plan.is_default ? 'yes' : '',
            String(plan.active_customers),
            time(plan.created_at),
            plan.retired_at === null ? '' : time(plan.retired_at),
            limitsInWords(limitsOf(plan)),
          ],
          json: { ...planJson(plan), account: plan.seller },
        })),
      },
    };
  },
});

const create = commandOfAccount({
  about: 'Adds a plan to an account.',
  options: {
    name: { type: 'string', value: 'NAME', required: true, about: 'The name of the plan.' },
    price: { type: 'string', value: '49.00', required: true, about: 'The price per interval.' },
    interval: { type: 'string', value: intervals.join('|'), required: true, about: 'The billing interval.' },
    default: { type: 'boolean', about: 'Make it the default for new customers.' },
    description: { type: 'string', value: 'TEXT', about: 'The description of the plan.' },
    'trial-days': trialDaysOption,
    ...limitOptions,
  },
  example: '--account acme --name Business --price 49.00 --interval month --default',
  async run({ db, account: { id }, values }) {
    const plan = await db.transaction().execute(async (trx) => {
      const { name, price, interval, description } = values;
      const trialDays = readTrialDays(values['trial-days']);
      const fields = { name, price, interval, description, trialDays, ...readLimits(values) };
      const input = { ...fields, isDefault: values.default === true };
      return getPlan(trx, id, await createPlan(trx, id, input, operator));
    });
    return {
      text: `Created ${formatPlanId(plan.id)}: ${plan.name} at ${decimal(plan.price_cents)} a ${plan.interval}${plan.is_default ? ', the default for new customers' : ''}.`,
      json: { plan: planJson(plan) },
    };
  },
});

export const planCommands: Group = {
  about: 'Plans: what an account offers its customers.',
  commands: {
    list,
    create,
    rename: renameCommand,
    describe: describeCommand,
    limits: limitsCommand,
    trial: trialCommand,
    price: priceCommand,
    'price-undo': priceUndoCommand,
    move: moveCommand,
    default: defaultCommand,
    retire: retireCommand,
    restore: restoreCommand,
  },
};
