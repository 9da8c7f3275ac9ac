import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { changeCustomers } from './change-customers.ts';
import { type CustomerChange, type CustomerRow, parseReason } from './customer-change.ts';
import { unindexedSeller } from './unindexed-seller.ts';

export type { CustomerRow };

interface ChangePlanInput {
  customerId: number;
  planId: number;
  /** The plan that the user saw the customer on, if the change depends on it. */
  seenPlanId?: number | undefined;
}

/**
 * Moves a customer to another of the seller's plans. Does nothing if the customer is on it already. The first plan with a
 * price begins with its trial, which continues through later changes. Returns the customer as before.
 * @throws AppError `not_found` when the seller has no such customer or plan; `conflict` if the plan is retired, the customer
 * deleted, or another user has changed its plan since.
 */
export function changePlan(
  trx: Trx,
  accountId: number,
  { customerId, ...change }: ChangePlanInput,
  by: Actor,
): Promise<CustomerRow> {
  return changeCustomer(trx, accountId, { kind: 'plan', id: customerId, ...change }, by);
}

/**
 * Suspends a customer: its keys are refused, and it counts as neither paying nor free until it is restored. Its users read
 * the reason when they sign in. Suspending a suspended customer changes nothing. Returns the customer as before.
 * @throws AppError `not_found` when the seller has no such customer; `conflict` if it is deleted, or suspended for another
 * reason; ValidationError
 */
export async function suspendCustomer(
  trx: Trx,
  accountId: number,
  customerId: number,
  by: Actor,
  reason?: string,
): Promise<CustomerRow> {
  parseReason(reason);
  return changeCustomer(trx, accountId, { kind: 'suspend', id: customerId, reason }, by);
}

/**
 * Ends a suspension, if its reason is still the one that the user saw. Restoring an active customer changes nothing. Returns
 * the customer as before.
 * @throws AppError `not_found`; `conflict` if it is deleted, or suspended for another reason.
 */
export function restoreCustomer(
  trx: Trx,
  accountId: number,
  customerId: number,
  by: Actor,
  seenReason?: string | null,
): Promise<CustomerRow> {
  return changeCustomer(trx, accountId, { kind: 'restore', id: customerId, seenReason }, by);
}

/**
 * Makes one change, and returns the customer as before.
 * @throws AppError if the change is refused
 */
export async function changeCustomer(
  trx: Trx,
  accountId: number,
  change: CustomerChange,
  by: Actor,
  now = Date.now(),
): Promise<CustomerRow> {
  const [outcome] = await changeCustomers(trx, accountId, [change], by, now);
  if ('refusal' in outcome!) throw outcome.refusal;
  return outcome!.before;
}

/**
 * Returns a customer of the seller that has not been deleted for good.
 * @throws AppError `not_found`
 */
export async function getCustomer(db: Db | Trx, accountId: number, customerId: number): Promise<CustomerRow> {
  const customer = await db
    .selectFrom('accounts')
    .selectAll()
    .where(unindexedSeller, '=', accountId)
    .where('id', '=', customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (customer?.plan_id == null) throw notFound('The customer');
  return { ...customer, plan_id: customer.plan_id };
}
