import { changeCustomers as makeChanges } from '../../accounts/change-customers.ts';
import type { CustomerRow, CustomerChange as PresentChange } from '../../accounts/customer-change.ts';
import type { Db, Trx } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { listPlans } from '../../plans/plans.ts';
import { checkDay } from '../../scheduled-changes/check-day.ts';
import {
  cancelScheduledChange,
  restoreScheduledChange,
  schedulePlanChange,
} from '../../scheduled-changes/schedule-plan-change.ts';
import { findScheduledChanges, type ScheduledChange } from '../../scheduled-changes/scheduled-change.ts';
import type { ErrorLog } from '../error-log.ts';
import { changeEach, refusedJson } from './change-each.ts';
import { type CustomerChange, customerChangesInput } from './contract/customers.ts';
import type { CustomerChangesJson, CustomerResultJson } from './contract.ts';
import { changeOf, stateJson } from './customer-actions.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failureOf } from './failure.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** The limit of a request. The app sends fewer: it splits long lists into several requests, so that users can stop between. */
const MAX_CHANGES = 100;

/** Returns the routes that change many customers at once. */
export function customerChangesRoutes({ db, log }: RouteDependencies): AdminRoute[] {
  return [
    route('POST /admin/customers/changes', {
      needs: 'manage_customers',
      body: customerChangesInput,
      handle: (request) => changeCustomers(db, log, request),
    }),
  ];
}

/** How many changes a transaction makes. It takes about 15 ms, for which other changes to the account and its customers wait. */
const BATCH_SIZE = 50;

async function changeCustomers(db: Db, log: ErrorLog, request: SignedInRequest<typeof customerChangesInput>) {
  const { ctx, sessionOwner, actor, body, change } = request;
  const { accountId } = sessionOwner;
  const { changes } = body;
  if (changes.length > MAX_CHANGES) throw new AppError('malformed', `Send at most ${MAX_CHANGES} changes at once.`);
  const days = new Set(changes.flatMap((one) => (one.kind === 'schedule' ? one.day : [])));
  for (const day of days) await checkDay(db, accountId, day);
  const batches = batchesOf(changes);
  const results = await changeEach(batches, {
    max: batches.length,
    idOf: ([first]) => first!.id,
    make: (batch) => change((trx) => changeBatch(trx, accountId, batch, actor)),
    onFailure: (error) => void failureOf(error, log, ctx),
  });
  return jsonResponse(200, { results: results.flat() } satisfies CustomerChangesJson);
}

/** Divides changes into batches, one for each transaction. Each change of a schedule has a transaction of its own. */
function batchesOf(changes: readonly CustomerChange[]): CustomerChange[][] {
  const batches: CustomerChange[][] = [];
  for (const one of changes) {
    const last = batches.at(-1);
    if (last && !isScheduleChange(one) && !isScheduleChange(last[0]!) && last.length < BATCH_SIZE) last.push(one);
    else batches.push([one]);
  }
  return batches;
}

type ScheduleChange = Extract<CustomerChange, { kind: 'schedule' | 'unschedule' | 'reschedule' }>;

function isScheduleChange(change: CustomerChange): change is ScheduleChange {
  return change.kind === 'schedule' || change.kind === 'unschedule' || change.kind === 'reschedule';
}

async function changeBatch(
  trx: Trx,
  accountId: number,
  changes: readonly CustomerChange[],
  by: SignedInRequest['actor'],
): Promise<CustomerResultJson[]> {
  const [first] = changes;
  if (isScheduleChange(first!)) {
    const { id } = first;
    return [{ id, ...(await changeOf(trx, accountId, id, () => changeSchedule(trx, accountId, first, by))) }];
  }
  const ids = changes.map(({ id }) => id);
  const before = await findScheduledChanges(trx, accountId, ids);
  const outcomes = await makeChanges(trx, accountId, changes as PresentChange[], by);
  const after = await findScheduledChanges(trx, accountId, ids);
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const stateOf = (customer: CustomerRow, scheduled: readonly ScheduledChange[]) =>
    stateJson(
      customer,
      plans.get(customer.plan_id)!,
      scheduled.find(({ customerId }) => customerId === customer.id),
    );
  return outcomes.map((outcome, index) => {
    const id = ids[index]!;
    if ('refusal' in outcome) return refusedJson(id, outcome.refusal);
    return { id, before: stateOf(outcome.before, before), now: stateOf(outcome.after, after) };
  });
}

function changeSchedule(
  trx: Trx,
  accountId: number,
  change: ScheduleChange,
  by: SignedInRequest['actor'],
): Promise<CustomerRow> {
  const { id: customerId } = change;
  switch (change.kind) {
    case 'schedule': {
      const { planId, day, seenId } = change;
      return schedulePlanChange(trx, accountId, { customerId, planId, day, seenId }, by);
    }
    case 'unschedule':
      return cancelScheduledChange(trx, accountId, { customerId, seenId: change.seenId }, by);
    case 'reschedule': {
      const { scheduledId, seenId } = change;
      return restoreScheduledChange(trx, accountId, { customerId, scheduledId, seenId }, by);
    }
  }
}
