import { changePlan, restoreCustomer, suspendCustomer } from '../../accounts/change-customer.ts';
import { deleteCustomer, undeleteCustomer } from '../../accounts/delete-customer.ts';
import type { Db, Trx } from '../../db/database.ts';
import { checkDay } from '../../scheduled-changes/check-day.ts';
import {
  cancelScheduledChange,
  restoreScheduledChange,
  schedulePlanChange,
} from '../../scheduled-changes/schedule-plan-change.ts';
import { changeEach } from './change-each.ts';
import { type CustomerChange, customerChangesInput } from './contract/customers.ts';
import type { CustomerChangesJson, CustomerResultJson } from './contract.ts';
import { changeOf } from './customer-actions.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** More than the app sends at once. It sends the next when these are done, and can stop between. */
const MAX_CHANGES = 100;

/** Changes of many customers at once. */
export function customerChangesRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/customers/changes',
      needs: 'manage_customers',
      body: customerChangesInput,
      handle: (request) => changeCustomers(db, request),
    }),
  ];
}

async function changeCustomers(db: Db, { caller, actor, body, change }: SignedInRequest<typeof customerChangesInput>) {
  const { accountId } = caller;
  const some = body.changes.slice(0, MAX_CHANGES);
  const days = new Set(some.flatMap((one) => (one.kind === 'schedule' ? one.day : [])));
  for (const day of days) await checkDay(db, accountId, day);
  const results = await changeEach(body.changes, {
    max: MAX_CHANGES,
    idOf: ({ id }) => id,
    make: (one) => change((trx) => changeOne(trx, accountId, one, actor)),
  });
  return jsonResponse(200, { results } satisfies CustomerChangesJson);
}

async function changeOne(
  trx: Trx,
  accountId: number,
  change: CustomerChange,
  by: SignedInRequest['actor'],
): Promise<CustomerResultJson> {
  const { id } = change;
  return { id, ...(await changeOf(trx, accountId, id, () => makeChange(trx, accountId, change, by))) };
}

function makeChange(trx: Trx, accountId: number, change: CustomerChange, by: SignedInRequest['actor']) {
  const { id } = change;
  switch (change.kind) {
    case 'plan': {
      const { planId, seenPlanId } = change;
      return changePlan(trx, accountId, { customerId: id, planId, seenPlanId }, by);
    }
    case 'schedule': {
      const { planId, day, seenId } = change;
      return schedulePlanChange(trx, accountId, { customerId: id, planId, day, seenId }, by);
    }
    case 'unschedule':
      return cancelScheduledChange(trx, accountId, { customerId: id, seenId: change.seenId }, by);
    case 'reschedule': {
      const { scheduledId, seenId } = change;
      return restoreScheduledChange(trx, accountId, { customerId: id, scheduledId, seenId }, by);
    }
    case 'suspend':
      return suspendCustomer(trx, accountId, id, by, change.reason);
    case 'restore':
      return restoreCustomer(trx, accountId, id, by, change.seenReason);
    case 'delete':
      return deleteCustomer(trx, accountId, id, by);
    case 'undelete':
      return undeleteCustomer(trx, accountId, id, by);
  }
}
