import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { checkOffered, countCustomer, getPlan } from '../plans/plans.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import type { AccountRow } from './account.ts';
import { recordCustomerEvent } from './record-customer-event.ts';
import { unindexedSeller } from './unindexed-seller.ts';

/**
 * Puts a customer on another of the seller's plans; a customer that is on it already stays as it is.
 * @throws AppError `not_found` when the seller has no such customer or plan; `conflict` if the plan is retired.
 */
export async function changePlan(
  trx: Trx,
  accountId: number,
  { customerId, planId }: { customerId: number; planId: number },
  by: Actor,
): Promise<void> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  const to = await getPlan(trx, accountId, planId);
  if (customer.plan_id === planId) return;
  checkOffered(to);
  const from = await getPlan(trx, accountId, customer.plan_id);
  await trx.updateTable('accounts').set({ plan_id: planId }).where('id', '=', customerId).execute();
  if (customer.status === 'active') {
    await countCustomer(trx, accountId, from.id, -1);
    await countCustomer(trx, accountId, to.id, 1);
  }
  await recordPlanChange(trx, accountId, { customerId, kind: 'moved', from, to, by });
  const details = { name: customer.name, from: from.name, to: to.name };
  await recordCustomerEvent(trx, { id: accountId, name }, { customerId, change: 'plan_changed', details }, by);
}

/**
 * Suspends a customer: its keys are refused and it is neither paying nor free until it is restored. Suspending a
 * suspended customer changes nothing.
 * @throws AppError `not_found` when the seller has no such customer.
 */
export function suspendCustomer(trx: Trx, accountId: number, customerId: number, by: Actor): Promise<void> {
  return changeStatus(trx, accountId, customerId, 'suspended', by);
}

/** Undoes a suspension. Restoring an active customer changes nothing. */
export function restoreCustomer(trx: Trx, accountId: number, customerId: number, by: Actor): Promise<void> {
  return changeStatus(trx, accountId, customerId, 'active', by);
}

async function changeStatus(
  trx: Trx,
  accountId: number,
  customerId: number,
  status: 'active' | 'suspended',
  by: Actor,
): Promise<void> {
  const seller = await raiseCustomersVersion(trx, accountId);
  const customer = await setCustomerStatus(trx, accountId, customerId, status, by);
  if (!customer) return;
  const change = status === 'active' ? 'restored' : status;
  const event = { customerId, change, details: { name: customer.name } } as const;
  await recordCustomerEvent(trx, { id: accountId, name: seller.name }, event, by);
}

/**
 * Sets the status of a customer and the seller's count and ledger, without an audit event; the transaction has raised the
 * seller's version. Returns the customer as it was, or undefined if it has that status already.
 */
export async function setCustomerStatus(
  trx: Trx,
  accountId: number,
  customerId: number,
  status: 'active' | 'suspended',
  by: Actor,
): Promise<AccountRow | undefined> {
  const customer = await getCustomer(trx, accountId, customerId);
  if (customer.status === status) return undefined;
  const plan = await getPlan(trx, accountId, customer.plan_id);
  await trx
    .updateTable('accounts')
    .set((e) => ({ status, content_version: e('content_version', '+', 1), content_changed_at: Date.now() }))
    .where('id', '=', customerId)
    .execute();
  const restored = status === 'active';
  await countCustomer(trx, accountId, plan.id, restored ? 1 : -1);
  await recordPlanChange(trx, accountId, {
    customerId,
    kind: restored ? 'restored' : 'suspended',
    from: restored ? null : plan,
    to: restored ? plan : null,
    by,
  });
  return customer;
}

/**
 * Returns a customer of the seller that has not been deleted.
 * @throws AppError `not_found`
 */
export async function getCustomer(
  db: Db | Trx,
  accountId: number,
  customerId: number,
): Promise<AccountRow & { plan_id: number }> {
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
