import { changeCustomers } from '../accounts/change-customers.ts';
import type { CustomerRow } from '../accounts/customer-change.ts';
import { makeInBatches } from '../accounts/make-in-batches.ts';
import { type NamedAuditEvent, recordAuditEvents, service } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { listPlans, type PlanRow } from '../plans/plans.ts';
import { dayAt, FIRST_ZONE } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { findOverLimits } from './find-over-limits.ts';
import type { ScheduleFailure } from './scheduled-change.ts';

/**
 * Makes the scheduled changes whose day has begun in their seller's time zone. Returns their number. A change is made, or
 * recorded as failed, in the transaction that takes it off the schedule. So it is made once, even if several processes call
 * this, one of them crashes, or the clock is set. Stops between two transactions if the signal is aborted.
 * @throws the first error of a change that could not even be recorded as failed; the other changes are made.
 */
export async function makeDueChanges(db: Db, signal?: AbortSignal): Promise<number> {
  return makeInBatches(db, {
    days: await findDueDays(db),
    list: (accountId, day, page) => listDue(db, accountId, day, page),
    make: makeBatch,
    signal,
  });
}

/** Returns the days that have begun for their sellers, earliest first. */
async function findDueDays(db: Db) {
  const now = Date.now();
  const days = await db
    .selectFrom('scheduled_plan_changes as scheduled')
    .innerJoin('accounts', 'accounts.id', 'scheduled.account_id')
    .select(['scheduled.account_id as accountId', 'scheduled.day', 'accounts.time_zone as timeZone'])
    .distinct()
    .where('scheduled.cancelled_at', 'is', null)
    .where('scheduled.failed_at', 'is', null)
    .where('scheduled.day', '<=', dayAt(now, FIRST_ZONE))
    .orderBy('scheduled.day')
    .execute();
  return days.filter(({ day, timeZone }) => day <= dayAt(now, timeZone));
}

async function listDue(
  db: Db,
  accountId: number,
  day: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('scheduled_plan_changes')
    .select('id')
    .where('cancelled_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('day', '=', day)
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

interface Due {
  id: number;
  customer_id: number;
  plan_id: number;
  day: string;
  allows_excess: 0 | 1;
  price_change_id: number | null;
}

/** Makes the changes that are still due: another process may have made some. Returns their number. */
async function makeBatch(trx: Trx, accountId: number, ids: readonly number[]): Promise<number> {
  await raiseCustomersVersion(trx, accountId);
  const due = await readDue(trx, accountId, ids);
  if (due.length === 0) return 0;
  const customers = await readCustomers(
    trx,
    due.map(({ customer_id }) => customer_id),
  );
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const possible: Due[] = [];
  const failed: Failed[] = [];
  const isOver = await findOver(trx, due, plans);
  for (const one of due) {
    const [customer, plan] = [customers.get(one.customer_id)!, plans.get(one.plan_id)!];
    const failure = findFailure(one, customer, plan, isOver.has(one));
    if (failure) failed.push({ ...one, failure, name: customer.name, to: plan.name });
    else possible.push(one);
  }
  await recordFailures(trx, accountId, failed);
  await makePossible(trx, accountId, possible);
  return due.length;
}

async function readDue(trx: Trx, accountId: number, ids: readonly number[]): Promise<Due[]> {
  const rows = await trx
    .selectFrom('scheduled_plan_changes')
    .select(['id', 'customer_id', 'plan_id', 'day', 'allows_excess', 'price_change_id'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where('cancelled_at', 'is', null)
    .where('failed_at', 'is', null)
    .orderBy('id')
    .execute();
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  return rows.filter(({ day }) => day <= today);
}

type Customer = Pick<CustomerRow, 'id' | 'name' | 'status' | 'plan_id' | 'deletes_at'>;

async function readCustomers(trx: Trx, ids: readonly number[]): Promise<Map<number, Customer>> {
  const columns = ['id', 'name', 'status', 'plan_id', 'deletes_at'] as const;
  const rows = await trx.selectFrom('accounts').select(columns).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row as Customer]));
}

/** Returns the changes that would make a customer exceed its plan's limits, except those for which the seller was told so. */
async function findOver(trx: Trx, due: readonly Due[], plans: ReadonlyMap<number, PlanRow>): Promise<ReadonlySet<Due>> {
  const over = new Set<Due>();
  const limited = due.filter(({ allows_excess }) => allows_excess === 0);
  for (const [planId, changes] of Map.groupBy(limited, ({ plan_id }) => plan_id)) {
    const ids = changes.map(({ customer_id }) => customer_id);
    const found = await findOverLimits(trx, ids, plans.get(planId)!);
    for (const one of changes) if (found.has(one.customer_id)) over.add(one);
  }
  return over;
}

/** Returns why the change cannot be made, or undefined if it can. */
function findFailure(
  { plan_id, price_change_id }: Due,
  customer: Customer,
  plan: PlanRow,
  isOver: boolean,
): ScheduleFailure | undefined {
  if (customer.deletes_at !== null) return 'customer_deleted';
  // Somebody has put the customer on the plan in the meantime.
  if (customer.plan_id === plan_id) return undefined;
  // A price change also moves suspended customers. Otherwise they would be back at the old price once their suspension ends.
  if (customer.status === 'suspended' && price_change_id === null) return 'customer_suspended';
  if (plan.retired_at !== null) return 'plan_retired';
  return isOver ? 'over_limits' : undefined;
}

async function makePossible(trx: Trx, accountId: number, possible: readonly Due[]): Promise<void> {
  if (possible.length === 0) return;
  const changes = possible.map(({ customer_id: id, plan_id: planId }) => ({ kind: 'plan', id, planId }) as const);
  for (const outcome of await changeCustomers(trx, accountId, changes, service)) {
    if ('refusal' in outcome) throw outcome.refusal;
  }
  const ids = possible.map(({ id }) => id);
  await trx.deleteFrom('scheduled_plan_changes').where('account_id', '=', accountId).where('id', 'in', ids).execute();
}

interface Failed extends Due {
  failure: ScheduleFailure;
  /** The names of the customer and the plan. */
  name: string;
  to: string;
}

/** Records the changes as failed, with the reasons. They stay until somebody schedules another change or cancels them. */
async function recordFailures(trx: Trx, accountId: number, failed: readonly Failed[]): Promise<void> {
  const events: NamedAuditEvent[] = [];
  for (const { id, customer_id, day, failure, name, to } of failed) {
    await trx
      .updateTable('scheduled_plan_changes')
      .set({ failed_at: Date.now(), failure })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    const subject = `customer_${customer_id}`;
    const event = { action: 'customer.plan_change_failed', subject, details: { name, to, on: day, failure } };
    events.push({ accountId, actor: service, event });
  }
  if (events.length > 0) await recordAuditEvents(trx, events);
}
