import { changePlan, getCustomer } from '../accounts/change-customer.ts';
import { recordAuditEvent, service } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { getPlan } from '../plans/plans.ts';
import { dayAt, FIRST_ZONE } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { isOverLimits } from './is-over-limits.ts';
import type { ScheduleFailure } from './scheduled-change.ts';

/** How many ids of changes are in memory at once. */
const BATCH_SIZE = 500;

/**
 * Makes the scheduled changes whose day has begun in their seller's time zone, and returns how many. A change is made, or noted as
 * impossible, in the transaction that takes it off the schedule. So it is made once, however many processes call this, and
 * whatever becomes of them or of the clock. Stops between two changes when the signal is aborted.
 * @throws what the first change threw that could not even be noted as impossible; the others are made.
 */
export async function makeDueChanges(db: Db, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for (const { account_id: accountId, day } of await findDueDays(db)) {
    for (let after = 0; !signal?.aborted; ) {
      const ids = await listDue(db, accountId, day, after);
      for (const id of ids) {
        if (signal?.aborted) break;
        try {
          if (await db.transaction().execute((trx) => makeDueChange(trx, accountId, id))) count++;
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
async function findDueDays(db: Db) {
  const now = Date.now();
  const days = await db
    .selectFrom('scheduled_plan_changes as scheduled')
    .innerJoin('accounts', 'accounts.id', 'scheduled.account_id')
    .select(['scheduled.account_id', 'scheduled.day', 'accounts.time_zone'])
    .distinct()
    .where('scheduled.cancelled_at', 'is', null)
    .where('scheduled.failed_at', 'is', null)
    .where('scheduled.day', '<=', dayAt(now, FIRST_ZONE))
    .orderBy('scheduled.day')
    .execute();
  return days.filter(({ day, time_zone }) => day <= dayAt(now, time_zone));
}

async function listDue(db: Db, accountId: number, day: string, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('scheduled_plan_changes')
    .select('id')
    .where('cancelled_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('day', '=', day)
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns whether there was something to do: another process may have been faster. */
async function makeDueChange(trx: Trx, accountId: number, id: number): Promise<boolean> {
  await raiseCustomersVersion(trx, accountId);
  const scheduled = await trx
    .selectFrom('scheduled_plan_changes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('cancelled_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
  if (!scheduled || scheduled.day > dayAt(Date.now(), await getTimeZone(trx, accountId))) return false;
  const { customer_id: customerId, plan_id: planId } = scheduled;
  const failure = await findFailure(trx, accountId, scheduled);
  if (failure) await noteFailure(trx, { ...scheduled, failure });
  else {
    await changePlan(trx, accountId, { customerId, planId }, service);
    await trx.deleteFrom('scheduled_plan_changes').where('account_id', '=', accountId).where('id', '=', id).execute();
  }
  return true;
}

interface Due {
  customer_id: number;
  plan_id: number;
  allows_excess: 0 | 1;
  price_change_id: number | null;
}

/** Returns why the change cannot be made. The customer may have more than the plan allows if the seller knew that. */
async function findFailure(
  trx: Trx,
  accountId: number,
  { customer_id, plan_id, allows_excess, price_change_id }: Due,
): Promise<ScheduleFailure | undefined> {
  const customer = await getCustomer(trx, accountId, customer_id);
  if (customer.deletes_at !== null) return 'customer_deleted';
  // Somebody has put it on the plan since.
  if (customer.plan_id === plan_id) return undefined;
  // A new price is not about the customer, which would be back at the old one with the end of its suspension.
  if (customer.status === 'suspended' && price_change_id === null) return 'customer_suspended';
  const plan = await getPlan(trx, accountId, plan_id);
  if (plan.retired_at !== null) return 'plan_retired';
  return allows_excess === 0 && (await isOverLimits(trx, customer_id, plan)) ? 'over_limits' : undefined;
}

interface Failed extends Due {
  id: number;
  account_id: number;
  day: string;
  failure: ScheduleFailure;
}

/** Keeps the change with the reason, until somebody schedules another or takes note. */
async function noteFailure(trx: Trx, { id, account_id, customer_id, plan_id, day, failure }: Failed): Promise<void> {
  await trx
    .updateTable('scheduled_plan_changes')
    .set({ failed_at: Date.now(), failure })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
  const { name } = await getCustomer(trx, account_id, customer_id);
  const { name: to } = await getPlan(trx, account_id, plan_id);
  const subject = `customer_${customer_id}`;
  const event = { action: 'customer.plan_change_failed', subject, details: { name, to, on: day, failure } };
  await recordAuditEvent(trx, account_id, service, event);
}
