import { service } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { countTrial, getPlan } from '../plans/plans.ts';
import { dayAt, FIRST_ZONE } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { recordCustomerEvent } from './record-customer-event.ts';
import { isInTrial } from './trial.ts';

/** How many ids of customers are in memory at once. */
const BATCH_SIZE = 500;

/**
 * Ends the trials whose last day is over in their seller's time zone, and returns how many: these customers pay from now on. A trial is
 * ended in the transaction that takes its day from the customer. So it ends once, however many processes call this, and whatever becomes
 * of them or of the clock. Stops between two customers when the signal is aborted.
 * @throws what the first customer threw; the trials of the others are ended.
 */
export async function endDueTrials(db: Db, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for (const { sellerId, day } of await findDueDays(db)) {
    for (let after = 0; !signal?.aborted; ) {
      const ids = await listDue(db, sellerId, day, after);
      for (const id of ids) {
        if (signal?.aborted) break;
        try {
          if (await db.transaction().execute((trx) => endTrial(trx, sellerId, id))) count++;
        } catch (error) {
          failures.push(error);
        }
      }
      if (ids.length < BATCH_SIZE) break;
      after = ids.at(-1)!;
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/** Returns the days that have begun for their sellers, the first days first. */
async function findDueDays(db: Db): Promise<{ sellerId: number; day: string }[]> {
  const now = Date.now();
  const days = await db
    .selectFrom('accounts')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select(['sellers.id as sellerId', 'accounts.trial_ends_on as day', 'sellers.time_zone'])
    .distinct()
    .where('accounts.trial_ends_on', 'is not', null)
    .where('accounts.trial_ends_on', '<=', dayAt(now, FIRST_ZONE))
    .orderBy('accounts.trial_ends_on')
    .execute();
  return days.flatMap(({ sellerId, day, time_zone }) => (day! <= dayAt(now, time_zone) ? { sellerId, day: day! } : []));
}

async function listDue(db: Db, sellerId: number, day: string, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('parent_id', '=', sellerId)
    .where('trial_ends_on', '=', day)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns whether the trial was still on: another process may have been faster. */
async function endTrial(trx: Trx, accountId: number, customerId: number): Promise<boolean> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await trx
    .selectFrom('accounts')
    .select(['name', 'status', 'plan_id', 'trial_ends_on'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  if (customer.trial_ends_on === null || customer.trial_ends_on > today) return false;
  const plan = await getPlan(trx, accountId, customer.plan_id!);
  await trx.updateTable('accounts').set({ trial_ends_on: null }).where('id', '=', customerId).execute();
  // A suspended customer pays with the end of its suspension, and a free plan costs nothing anyway.
  if (customer.status !== 'active' || !isInTrial(customer, plan)) return true;
  await countTrial(trx, accountId, plan.id, -1);
  await recordPlanChange(trx, accountId, { customerId, kind: 'moved', from: plan, to: plan, by: service });
  const event = { customerId, change: 'trial_ended', details: { name: customer.name, plan: plan.name } } as const;
  await recordCustomerEvent(trx, { id: accountId, name }, event, service);
  return true;
}
