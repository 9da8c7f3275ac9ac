import {
  type CustomerRow,
  changePlan,
  getCustomer,
  restoreCustomer,
  suspendCustomer,
} from '../../accounts/change-customer.ts';
import { deleteCustomer, undeleteCustomer } from '../../accounts/delete-customer.ts';
import { listDeletedCustomers } from '../../customers/list-deleted-customers.ts';
import type { Trx } from '../../db/database.ts';
import { getPlan, type PlanRow } from '../../plans/plans.ts';
import {
  cancelScheduledChange,
  restoreScheduledChange,
  schedulePlanChange,
} from '../../scheduled-changes/schedule-plan-change.ts';
import { findScheduledChange, type ScheduledChange } from '../../scheduled-changes/scheduled-change.ts';
import {
  cancelScheduledInput,
  customerPlanInput,
  restoreCustomerInput,
  restoreScheduledInput,
  scheduleInput,
  suspendCustomerInput,
} from './contract/customers.ts';
import type { CustomerChangeJson, CustomerStateJson, DeletedCustomersJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';
import { scheduledChangeJson } from './scheduled-change-json.ts';

/** Routes for an account's actions on one of its customers. */
export function customerActionRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/customers/deleted',
      needs: 'view_customers',
      handle: async ({ caller: { accountId } }) => {
        const customers = await listDeletedCustomers(db, accountId);
        return jsonResponse(200, {
          customers: customers.map(({ deletes_at, ...customer }) => ({ ...customer, deletesAt: deletes_at! })),
        } satisfies DeletedCustomersJson);
      },
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/plan',
      needs: 'manage_customers',
      body: customerPlanInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          changePlan(trx, caller.accountId, { customerId: id, ...body }, actor),
        ),
    }),
    route({
      method: 'PUT',
      path: '/admin/customers/:id/scheduled-change',
      needs: 'manage_customers',
      body: scheduleInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          schedulePlanChange(trx, caller.accountId, { customerId: id, ...body }, actor),
        ),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/scheduled-change/cancel',
      needs: 'manage_customers',
      body: cancelScheduledInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          cancelScheduledChange(trx, caller.accountId, { customerId: id, ...body }, actor),
        ),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/scheduled-change/restore',
      needs: 'manage_customers',
      body: restoreScheduledInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          restoreScheduledChange(trx, caller.accountId, { customerId: id, ...body }, actor),
        ),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/suspend',
      needs: 'manage_customers',
      body: suspendCustomerInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          suspendCustomer(trx, caller.accountId, id, actor, body.reason),
        ),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/restore',
      needs: 'manage_customers',
      body: restoreCustomerInput,
      handle: (request) =>
        change(request, (trx, { caller, id, body, actor }) =>
          restoreCustomer(trx, caller.accountId, id, actor, body.seenReason),
        ),
    }),
    route({
      method: 'DELETE',
      path: '/admin/customers/:id',
      needs: 'manage_customers',
      handle: (request) =>
        change(request, (trx, { caller, id, actor }) => deleteCustomer(trx, caller.accountId, id, actor)),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/undelete',
      needs: 'manage_customers',
      handle: (request) =>
        change(request, (trx, { caller, id, actor }) => undeleteCustomer(trx, caller.accountId, id, actor)),
    }),
  ];
}

/** Answers with the customer before and after the work, which returns the customer as it was. */
async function change<R extends Pick<SignedInRequest, 'change' | 'caller' | 'id'>>(
  request: R,
  work: (trx: Trx, request: R) => Promise<CustomerRow>,
) {
  const { caller, id } = request;
  const changed = await request.change((trx) => changeOf(trx, caller.accountId, id, () => work(trx, request)));
  return jsonResponse(200, changed satisfies CustomerChangeJson);
}

/** Does the work, which returns the customer as it was, and returns the customer before and after it. */
export async function changeOf(
  trx: Trx,
  accountId: number,
  id: number,
  work: () => Promise<CustomerRow>,
): Promise<CustomerChangeJson> {
  const scheduled = await findScheduledChange(trx, accountId, id);
  const was = await work();
  const before = stateJson(was, await getPlan(trx, accountId, was.plan_id), scheduled);
  const is = await getCustomer(trx, accountId, id);
  const plan = await getPlan(trx, accountId, is.plan_id);
  return { before, now: stateJson(is, plan, await findScheduledChange(trx, accountId, id)) };
}

/** Returns what undoing a change of the customer needs. */
export function stateJson(
  customer: CustomerRow,
  { id, name, price_cents, interval }: PlanRow,
  scheduled: ScheduledChange | undefined,
): CustomerStateJson {
  return {
    status: customer.status,
    suspensionReason: customer.suspension_reason,
    deletesAt: customer.deletes_at,
    plan: { id, name, priceCents: price_cents, interval },
    scheduled: scheduledChangeJson(scheduled),
  };
}
