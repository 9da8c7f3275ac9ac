import type { InferOutput } from 'valibot';
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
import type { ActingUser } from '../../users/roles.ts';
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
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';
import { scheduledChangeJson } from './scheduled-change-json.ts';
import type { ObjectSchema } from './schema.ts';

/** Returns the routes for an account's actions on one of its customers. */
export function customerActionRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/customers/deleted', {
      needs: 'view_customers',
      handle: async ({ sessionOwner: { accountId } }) => {
        const customers = await listDeletedCustomers(db, accountId);
        return jsonResponse(200, {
          customers: customers.map(({ deletes_at, ...customer }) => ({ ...customer, deletesAt: deletes_at! })),
        } satisfies DeletedCustomersJson);
      },
    }),
    changeRoute('POST /admin/customers/:id/plan', customerPlanInput, changePlan),
    changeRoute('PUT /admin/customers/:id/scheduled-change', scheduleInput, schedulePlanChange),
    changeRoute('POST /admin/customers/:id/scheduled-change/cancel', cancelScheduledInput, cancelScheduledChange),
    changeRoute('POST /admin/customers/:id/scheduled-change/restore', restoreScheduledInput, restoreScheduledChange),
    changeRoute('POST /admin/customers/:id/suspend', suspendCustomerInput, (trx, accountId, input, by) =>
      suspendCustomer(trx, accountId, input.customerId, by, input.reason),
    ),
    changeRoute('POST /admin/customers/:id/restore', restoreCustomerInput, (trx, accountId, input, by) =>
      restoreCustomer(trx, accountId, input.customerId, by, input.seenReason),
    ),
    changeRoute('DELETE /admin/customers/:id', undefined, (trx, accountId, { customerId }, by) =>
      deleteCustomer(trx, accountId, customerId, by),
    ),
    changeRoute('POST /admin/customers/:id/undelete', undefined, (trx, accountId, { customerId }, by) =>
      undeleteCustomer(trx, accountId, customerId, by),
    ),
  ];
}

/** Returns the route of a change to the customer in the path. It answers with the customer before and after the change. */
function changeRoute<B extends ObjectSchema = NoInput>(
  address: `${'POST' | 'PUT' | 'DELETE'} /admin/customers/${string}`,
  body: B | undefined,
  verb: (
    trx: Trx,
    accountId: number,
    input: InferOutput<B> & { customerId: number },
    by: ActingUser,
  ) => Promise<CustomerRow>,
): AdminRoute {
  return route(address, {
    ...(body && { body }),
    needs: 'manage_customers',
    handle: async ({ id, sessionOwner: { accountId }, body, actor, change }: SignedInRequest<B>) => {
      const input = { customerId: id, ...body };
      const changed = await change((trx) => changeOf(trx, accountId, id, () => verb(trx, accountId, input, actor)));
      return jsonResponse(200, changed satisfies CustomerChangeJson);
    },
  });
}

/** Changes a customer by `work`, which returns the customer before the change. Returns the customer before and after it. */
export async function changeOf(
  trx: Trx,
  accountId: number,
  id: number,
  work: () => Promise<CustomerRow>,
): Promise<CustomerChangeJson> {
  const scheduled = await findScheduledChange(trx, accountId, id);
  const rowBefore = await work();
  const before = stateJson(rowBefore, await getPlan(trx, accountId, rowBefore.plan_id), scheduled);
  const rowAfter = await getCustomer(trx, accountId, id);
  const plan = await getPlan(trx, accountId, rowAfter.plan_id);
  return { before, now: stateJson(rowAfter, plan, await findScheduledChange(trx, accountId, id)) };
}

/** Returns the part of a customer's state that is needed to undo a change. */
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
