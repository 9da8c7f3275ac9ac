import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { notFound, ValidationError } from '../errors.ts';
import { recordPlanChange } from '../plans/plan-changes.ts';
import { checkOffered, countCustomer, countTrial, getPlan } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import type { AccountRow } from './account.ts';
import { recordCustomerEvent } from './record-customer-event.ts';
import { beginTrials, hasHadPrice, hasTrial, isInTrial } from './trial.ts';
import { unindexedSeller } from './unindexed-seller.ts';

/** A customer's account, which is always on a plan of its seller. */
export type CustomerRow = AccountRow & { readonly plan_id: number };

interface ChangePlanInput {
  customerId: number;
  planId: number;
  /** The plan that the person saw the customer on. */
  seenPlanId?: number | undefined;
}

/**
 * Puts a customer on another of the seller's plans; a customer that is on it already stays as it is. The first plan with a price begins
 * with its trial, which goes on through later changes. Returns the customer as it was.
 * @throws AppError `not_found` when the seller has no such customer or plan; `conflict` if the plan is retired, the customer
 * deleted, or somebody else has changed its plan since.
 */
export async function changePlan(
  trx: Trx,
  accountId: number,
  { customerId, planId, seenPlanId }: ChangePlanInput,
  by: Actor,
): Promise<CustomerRow> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  const to = await getPlan(trx, accountId, planId);
  if (customer.plan_id === planId) return customer;
  checkNotDeleted(customer);
  const from = await getPlan(trx, accountId, customer.plan_id);
  if (seenPlanId !== undefined && seenPlanId !== from.id) {
    throw new Refusal('conflict', { reason: 'customer_on_other_plan', params: { plan: from.name } });
  }
  // A person can undo a change although the former plan was retired in the meantime.
  const isUndo = seenPlanId !== undefined && (await wasJustMovedFrom(trx, accountId, customerId, planId));
  if (!isUndo) checkOffered(to);
  await trx.updateTable('accounts').set({ plan_id: planId }).where('id', '=', customerId).execute();
  const begins = customer.trial_ends_on === null && hasTrial(to) && !(await hasHadPrice(trx, accountId, customerId));
  if (begins) await beginTrials(trx, accountId, [customerId], to);
  const isTrial = begins || isInTrial(customer, to);
  if (customer.status === 'active') {
    await countCustomer(trx, accountId, from.id, -1);
    await countCustomer(trx, accountId, to.id, 1);
    if (isInTrial(customer, from)) await countTrial(trx, accountId, from.id, -1);
    if (isTrial) await countTrial(trx, accountId, to.id, 1);
  }
  await recordPlanChange(trx, accountId, { customerId, kind: 'moved', from, to, isTrial, by });
  await dropPriceMove(trx, accountId, customerId);
  const details = { name: customer.name, from: from.name, to: to.name };
  await recordCustomerEvent(trx, { id: accountId, name }, { customerId, change: 'plan_changed', details }, by);
  return customer;
}

/** A new price is for those on the plan: whoever leaves it before the day is not moved. */
async function dropPriceMove(trx: Trx, accountId: number, customerId: number): Promise<void> {
  await trx
    .deleteFrom('scheduled_plan_changes')
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where('price_change_id', 'is not', null)
    .execute();
}

/** How long a customer may be put back on a retired plan that it was moved from. */
const RETURN_PERIOD_MS = 60 * 60 * 1000;

async function wasJustMovedFrom(trx: Trx, accountId: number, customerId: number, planId: number): Promise<boolean> {
  const last = await trx
    .selectFrom('plan_changes')
    .select(['kind', 'from_plan_id', 'created_at'])
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(limitInIndexOrder(1))
    .executeTakeFirst();
  return last?.kind === 'moved' && last.from_plan_id === planId && last.created_at > Date.now() - RETURN_PERIOD_MS;
}

const MAX_REASON_CHARACTERS = 500;

/**
 * Suspends a customer: its keys are refused and it is neither paying nor free until it is restored. Its people read the
 * reason when they sign in. Suspending a suspended customer changes nothing. Returns the customer as it was.
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
  const because = reason?.trim() || null;
  if ((because ?? '').length > MAX_REASON_CHARACTERS) {
    throw new ValidationError([{ field: 'reason', code: 'too_long', params: { max: MAX_REASON_CHARACTERS } }]);
  }
  const seller = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  checkNotDeleted(customer);
  const { name, status, suspension_reason: present } = customer;
  if (status === 'suspended') {
    if (reason === undefined || because === present) return customer;
    const message = `It is suspended already${present === null ? ', without a reason' : `: ${present}`}. Restore it first.`;
    const why = { reason: 'customer_suspended_already', params: { because: present } } as const;
    throw new Refusal('conflict', why, { message });
  }
  await setCustomerStatus(trx, accountId, customerId, 'suspended', by);
  if (because !== null) {
    await trx.updateTable('accounts').set({ suspension_reason: because }).where('id', '=', customerId).execute();
  }
  const details = { name, ...(because !== null && { reason: because }) };
  await recordCustomerEvent(
    trx,
    { id: accountId, name: seller.name },
    { customerId, change: 'suspended', details },
    by,
  );
  return customer;
}

/**
 * Undoes a suspension, if it is still for the reason that the person saw. Restoring an active customer changes nothing.
 * Returns the customer as it was.
 * @throws AppError `not_found`; `conflict` if it is deleted, or suspended for another reason.
 */
export async function restoreCustomer(
  trx: Trx,
  accountId: number,
  customerId: number,
  by: Actor,
  seenReason?: string | null,
): Promise<CustomerRow> {
  const seller = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  checkNotDeleted(customer);
  const { name, status, suspension_reason: because } = customer;
  if (status === 'active') return customer;
  if (seenReason !== undefined && seenReason !== because) {
    throw new Refusal('conflict', { reason: 'customer_not_suspended_so', params: { because } });
  }
  await setCustomerStatus(trx, accountId, customerId, 'active', by);
  const event = { customerId, change: 'restored', details: { name } } as const;
  await recordCustomerEvent(trx, { id: accountId, name: seller.name }, event, by);
  return customer;
}

/** @throws AppError `conflict` if the customer is deleted and can be restored. */
export function checkNotDeleted({ deletes_at }: CustomerRow): void {
  if (deletes_at === null) return;
  throw new Refusal('conflict', { reason: 'customer_deleted' }, { message: 'It is deleted. Restore it first.' });
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
): Promise<CustomerRow | undefined> {
  const customer = await getCustomer(trx, accountId, customerId);
  if (customer.status === status) return undefined;
  const plan = await getPlan(trx, accountId, customer.plan_id);
  await trx
    .updateTable('accounts')
    .set((e) => ({
      status,
      suspension_reason: null,
      content_version: e('content_version', '+', 1),
      content_changed_at: Date.now(),
    }))
    .where('id', '=', customerId)
    .execute();
  const restored = status === 'active';
  const isTrial = isInTrial(customer, plan);
  await countCustomer(trx, accountId, plan.id, restored ? 1 : -1);
  if (isTrial) await countTrial(trx, accountId, plan.id, restored ? 1 : -1);
  await recordPlanChange(trx, accountId, {
    customerId,
    kind: restored ? 'restored' : 'suspended',
    from: restored ? null : plan,
    to: restored ? plan : null,
    isTrial: restored && isTrial,
    by,
  });
  return customer;
}

/**
 * Returns a customer of the seller that has not been deleted.
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
