import { recordAuditEvents, service } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { type PlanChange, recordPlanChanges } from '../plans/plan-changes.ts';
import { countTrial, listPlans } from '../plans/plans.ts';
import { dayAt, FIRST_ZONE } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { makeInBatches } from './make-in-batches.ts';
import { customerEvents } from './record-customer-event.ts';
import { isInTrial } from './trial.ts';

/**
 * Ends the trials whose last day is over in their seller's time zone, and returns how many: these customers pay from now on.
 * One transaction ends a trial and clears its date. So a trial ends once, even if several processes call this, a process
 * crashes, or the clock is changed. Stops between two transactions when the signal is aborted.
 * @throws the error of the first customer that failed; the trials of the others are ended.
 */
export async function endDueTrials(db: Db, signal?: AbortSignal): Promise<number> {
  return makeInBatches(db, {
    days: await findDueDays(db),
    list: (accountId, day, page) => listDue(db, accountId, day, page),
    make: endTrials,
    signal,
  });
}

/** Returns the days on which trials end and that have begun in their seller's time zone, the earliest first. */
async function findDueDays(db: Db): Promise<{ accountId: number; day: string }[]> {
  const now = Date.now();
  const days = await db
    .selectFrom('accounts')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select(['sellers.id as accountId', 'accounts.trial_ends_on as day', 'sellers.time_zone as timeZone'])
    .distinct()
    .where('accounts.trial_ends_on', 'is not', null)
    .where('accounts.trial_ends_on', '<=', dayAt(now, FIRST_ZONE))
    .orderBy('accounts.trial_ends_on')
    .execute();
  return days.flatMap(({ accountId, day, timeZone }) => (day! <= dayAt(now, timeZone) ? { accountId, day: day! } : []));
}

async function listDue(
  db: Db,
  sellerId: number,
  day: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('parent_id', '=', sellerId)
    .where('trial_ends_on', '=', day)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends the trials that are still due, and returns how many: another process may have been faster. */
async function endTrials(trx: Trx, accountId: number, customerIds: readonly number[]): Promise<number> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  const customers = await lockCustomersInTrial(trx, customerIds, today);
  if (customers.length === 0) return 0;
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const ids = customers.map(({ id }) => id);
  await trx.updateTable('accounts').set({ trial_ends_on: null }).where('id', 'in', ids).execute();
  // A suspended customer pays only after its suspension ends, and a free plan costs nothing anyway.
  const paying = customers.flatMap((customer) => {
    const plan = plans.get(customer.plan_id!)!;
    return customer.status === 'active' && isInTrial(customer, plan) ? { ...customer, plan } : [];
  });
  for (const [planId, { length }] of [...Map.groupBy(paying, ({ plan }) => plan.id)].sort(([a], [b]) => a - b)) {
    await countTrial(trx, accountId, planId, -length);
  }
  const lines = paying.map(({ id: customerId, plan }): PlanChange => {
    return { customerId, kind: 'moved', from: plan, to: plan, by: service };
  });
  await recordPlanChanges(trx, accountId, lines);
  const events = paying.flatMap(({ id: customerId, name: customer, plan }) => {
    const event = { customerId, change: 'trial_ended', details: { name: customer, plan: plan.name } } as const;
    return customerEvents({ id: accountId, name }, event, service);
  });
  await recordAuditEvents(trx, events);
  return customers.length;
}

function lockCustomersInTrial(trx: Trx, ids: readonly number[], today: string) {
  const customers = trx
    .selectFrom('accounts')
    .select(['id', 'name', 'status', 'plan_id', 'trial_ends_on'])
    .where('id', 'in', ids)
    .where('trial_ends_on', '<=', today)
    .orderBy('id');
  return (dialectOf(trx) === 'postgres' ? customers.forNoKeyUpdate() : customers).execute();
}
