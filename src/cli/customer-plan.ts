import { formatAccountId } from '../accounts/account.ts';
import { changePlan } from '../accounts/change-customer.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { decimal } from '../plans/money.ts';
import { listPlans, type PlanRow } from '../plans/plans.ts';
import { cancelScheduledChange, schedulePlanChange } from '../scheduled-changes/schedule-plan-change.ts';
import {
  findScheduledChange,
  type ListedScheduledChange,
  listScheduledChanges,
  type ScheduleFailure,
} from '../scheduled-changes/scheduled-change.ts';
import { getPlanUsage } from '../tenancy/plan-limits.ts';
import { command, commandOfAccount } from './command.ts';
import { findPlan, formatPlanId } from './find-by-name.ts';
import { CUSTOMER, findCustomer } from './find-customer.ts';
import { mapBatches } from './listing.ts';
import { excessInWords } from './plan-usage.ts';

export const planCommand = command({
  about: 'Moves a customer to another plan of its seller, now or on a later day.',
  details:
    "CUSTOMER is its subdomain or id (account_12), PLAN the name or id (plan_3) of the plan. With --on, the service makes the change at\nthe beginning of that day in the seller's time zone, instead of any other scheduled change.",
  positionals: ['CUSTOMER', 'PLAN'],
  options: { on: { type: 'string', value: 'YYYY-MM-DD', about: 'The day, tomorrow or later.' } },
  example: 'bakery Business --on 2027-01-01',
  async run({ db, positionals: [who = '', which = ''], values: { on } }) {
    return on === undefined ? change(db, who, which) : schedule(db, { who, which, day: on });
  },
});

async function change(db: Db, who: string, which: string) {
  const { customer, plan, usage } = await db.transaction().execute(async (trx) => {
    const { customer, plan } = await findBoth(trx, who, which);
    await changePlan(trx, customer.parent_id, { customerId: customer.id, planId: plan.id }, operator);
    return { customer, plan, usage: await getPlanUsage(trx, customer.id) };
  });
  const text = `"${customer.subdomain}" is now on ${planInWords(plan)}.`;
  return {
    text: [text, excessInWords(usage) ?? []].flat().join('\n'),
    json: {
      customer: {
        id: formatAccountId(customer.id),
        subdomain: customer.subdomain,
        plan_id: formatPlanId(plan.id),
        plan_name: plan.name,
        plan_price: decimal(plan.price_cents),
        plan_interval: plan.interval,
        limits: usage,
      },
    },
  };
}

async function schedule(db: Db, { who, which, day }: { who: string; which: string; day: string }) {
  const { customer, scheduled } = await db.transaction().execute(async (trx) => {
    const { customer, plan } = await findBoth(trx, who, which);
    const { id, parent_id } = customer;
    try {
      await schedulePlanChange(trx, parent_id, { customerId: id, planId: plan.id, day }, operator);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(error.fields.map((broken) => ({ ...broken, field: 'on' })));
    }
    return { customer, scheduled: (await findScheduledChange(trx, parent_id, id))! };
  });
  return {
    text: `"${customer.subdomain}" will be put on ${planInWords(scheduled.plan)} on ${scheduled.day}.`,
    json: { scheduled_change: scheduledJson({ ...scheduled, customer }) },
  };
}

export const scheduledCommand = commandOfAccount({
  about: 'Lists the scheduled plan changes of an account, and those that failed.',
  example: '--account acme',
  async run({ db, account: { id } }) {
    const changes = readBatches<ListedScheduledChange>((after, limit) =>
      listScheduledChanges(db, id, { after, limit }),
    );
    return {
      listing: {
        name: 'scheduled_changes',
        head: ['ON', 'CUSTOMER', 'PLAN', 'PRICE', 'INTERVAL', 'NOT MADE BECAUSE'],
        empty: 'No changes are scheduled.',
        parts: mapBatches(changes, (scheduled) => ({
          cells: [
            scheduled.day,
            scheduled.customer.subdomain,
            scheduled.plan.name,
            decimal(scheduled.plan.price_cents),
            scheduled.plan.interval,
            scheduled.failure === null ? '' : failureInWords[scheduled.failure],
          ],
          json: scheduledJson(scheduled),
        })),
      },
    };
  },
});

export const failureInWords: Record<ScheduleFailure, string> = {
  customer_deleted: 'The customer was deleted.',
  customer_suspended: 'The customer was suspended.',
  plan_retired: 'The plan was retired.',
  over_limits: 'The customer had more than the plan allows.',
};

export const unscheduleCommand = command({
  about: "Cancels a customer's scheduled plan change, or dismisses one that failed.",
  details: CUSTOMER,
  positionals: ['CUSTOMER'],
  example: 'bakery',
  async run({ db, positionals: [who = ''] }) {
    const { id, subdomain } = await db.transaction().execute(async (trx) => {
      const customer = await findCustomer(trx, who);
      await cancelScheduledChange(trx, customer.parent_id, { customerId: customer.id }, operator);
      return customer;
    });
    return {
      text: `No plan change is scheduled for "${subdomain}" any longer.`,
      json: { customer: { id: formatAccountId(id), subdomain } },
    };
  },
});

async function findBoth(trx: Trx, who: string, which: string) {
  const customer = await findCustomer(trx, who);
  return { customer, plan: findPlan(await listPlans(trx, customer.parent_id), which) };
}

function planInWords({ name, price_cents, interval }: Pick<PlanRow, 'name' | 'price_cents' | 'interval'>): string {
  return `${name} at ${decimal(price_cents)} a ${interval}`;
}

type Scheduled = Omit<ListedScheduledChange, 'customer'> & { customer: { subdomain: string } };

function scheduledJson({ customerId, customer, day, plan, failure }: Scheduled) {
  return {
    customer_id: formatAccountId(customerId),
    subdomain: customer.subdomain,
    on: day,
    plan_id: formatPlanId(plan.id),
    plan_name: plan.name,
    plan_price: decimal(plan.price_cents),
    plan_interval: plan.interval,
    failure,
  };
}
