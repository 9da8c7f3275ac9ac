import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import type { AccountRow } from './account.ts';
import { recordPlanChange } from './plan-changes.ts';
import { countCustomer, getPlan } from './plans.ts';

/**
 * Puts a customer on another of the seller's plans; a customer that is on it already stays as it is.
 * @throws AppError `not_found` when the seller has no such customer or plan.
 */
export async function changePlan(
  trx: Trx,
  accountId: number,
  { customerId, planId, actor }: { customerId: number; planId: number; actor: string },
): Promise<void> {
  await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  const to = await getPlan(trx, accountId, planId);
  if (customer.plan_id === planId) return;
  const from = await getPlan(trx, accountId, customer.plan_id);
  await trx.updateTable('accounts').set({ plan_id: planId }).where('id', '=', customerId).execute();
  if (customer.status === 'active') {
    await countCustomer(trx, accountId, from.id, -1);
    await countCustomer(trx, accountId, to.id, 1);
  }
  await recordPlanChange(trx, accountId, { customerId, kind: 'moved', from, to, actor });
}

/**
 * Suspends a customer: its keys are refused and it is neither paying nor free until it is restored. Suspending a
 * suspended customer changes nothing.
 * @throws AppError `not_found` when the seller has no such customer.
 */
export function suspendCustomer(trx: Trx, accountId: number, customerId: number, actor: string): Promise<void> {
  return setStatus(trx, accountId, customerId, 'suspended', actor);
}

/** Undoes a suspension. Restoring an active customer changes nothing. */
export function restoreCustomer(trx: Trx, accountId: number, customerId: number, actor: string): Promise<void> {
  return setStatus(trx, accountId, customerId, 'active', actor);
}

async function setStatus(
  trx: Trx,
  accountId: number,
  customerId: number,
  status: 'active' | 'suspended',
  actor: string,
): Promise<void> {
  await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  if (customer.status === status) return;
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
    actor,
  });
}

async function getCustomer(trx: Trx, accountId: number, customerId: number): Promise<AccountRow & { plan_id: number }> {
  const customer = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('parent_id', '=', accountId)
    .where('id', '=', customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (customer?.plan_id == null) throw notFound('The customer');
  return { ...customer, plan_id: customer.plan_id };
}
