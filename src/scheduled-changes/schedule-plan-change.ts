import { type CustomerRow, getCustomer } from '../accounts/change-customer.ts';
import { checkNotDeleted } from '../accounts/customer-change.ts';
import { recordCustomerEvent } from '../accounts/record-customer-event.ts';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { checkOffered, getPlan } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { REMOVAL_RETENTION_MS } from '../removals/removals.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { checkDay } from './check-day.ts';
import { findOverLimits } from './find-over-limits.ts';
import { findScheduledChange, type ScheduledChange } from './scheduled-change.ts';

interface ScheduleInput {
  customerId: number;
  planId: number;
  /** `YYYY-MM-DD`. */
  day: string;
  /** The scheduled change that the user saw, which this one replaces; null for none. */
  seenId?: number | null | undefined;
}

/**
 * Schedules a change of a customer's plan for the beginning of a later day, in place of the customer's scheduled change.
 * Returns the customer.
 * @throws AppError `not_found` if the seller has no such customer or plan; `conflict` if the plan is retired or the
 * customer's current one, if the customer is deleted, or if somebody else has scheduled another change since;
 * ValidationError
 */
export async function schedulePlanChange(
  trx: Trx,
  accountId: number,
  { customerId, planId, day, seenId }: ScheduleInput,
  by: Actor,
): Promise<CustomerRow> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  checkNotDeleted(customer);
  const plan = await getPlan(trx, accountId, planId);
  const present = await findScheduledChange(trx, accountId, customerId);
  // The same change is already scheduled, perhaps by another user: there is nothing to do.
  if (present?.failure === null && present.plan.id === planId && present.day === day) return customer;
  checkSeen(present, seenId);
  await checkDay(trx, accountId, day);
  checkOffered(plan);
  if (customer.plan_id === planId) {
    throw new Refusal('conflict', { reason: 'customer_on_plan', params: { plan: plan.name } });
  }
  if (present) await setCancelled(trx, accountId, present.id, Date.now());
  await trx
    .insertInto('scheduled_plan_changes')
    .values({
      account_id: accountId,
      customer_id: customerId,
      plan_id: planId,
      day,
      created_at: Date.now(),
      allows_excess: (await findOverLimits(trx, [customerId], plan)).has(customerId) ? 1 : 0,
    })
    .execute();
  await recordScheduled(trx, { id: accountId, name }, customer, { plan, day }, by);
  return customer;
}

interface CancelInput {
  customerId: number;
  /** The scheduled change that the user saw. */
  seenId?: number | undefined;
}

/**
 * Cancels a customer's scheduled change, or dismisses one that failed. `restoreScheduledChange` can undo this for 10
 * minutes. Cancelling a change twice has no effect. Returns the customer.
 * @throws AppError `not_found` if there is no such change; `conflict` if it has been made or replaced since.
 */
export async function cancelScheduledChange(
  trx: Trx,
  accountId: number,
  { customerId, seenId }: CancelInput,
  by: Actor,
): Promise<CustomerRow> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  const present = await findScheduledChange(trx, accountId, customerId);
  if (!present && seenId === undefined) throw notFound('A scheduled change of plan');
  if (!present && (await findCancelled(trx, accountId, customerId, seenId!))) return customer;
  checkSeen(present, seenId);
  const { id, plan, day } = present!;
  await setCancelled(trx, accountId, id, Date.now());
  const details = { name: customer.name, to: plan.name, on: day };
  const event = { customerId, change: 'plan_change_cancelled', details } as const;
  await recordCustomerEvent(trx, { id: accountId, name }, event, by);
  return customer;
}

interface RestoreInput {
  customerId: number;
  /** The change that was cancelled or replaced. */
  scheduledId: number;
  /** The scheduled change that the user saw, which is replaced; null for none. */
  seenId: number | null;
}

/**
 * Restores a scheduled change that was cancelled or replaced. If its day has begun since, the change is due at once.
 * Returns the customer.
 * @throws AppError `not_found`; `conflict` if it is too late, or if somebody else has scheduled another change since.
 */
export async function restoreScheduledChange(
  trx: Trx,
  accountId: number,
  { customerId, scheduledId, seenId }: RestoreInput,
  by: Actor,
): Promise<CustomerRow> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const customer = await getCustomer(trx, accountId, customerId);
  const present = await findScheduledChange(trx, accountId, customerId);
  if (present?.id === scheduledId) return customer;
  checkSeen(present, seenId);
  const cancelled = await findCancelled(trx, accountId, customerId, scheduledId);
  if (!cancelled || cancelled.cancelled_at! <= Date.now() - REMOVAL_RETENTION_MS) {
    throw new Refusal('conflict', { reason: 'removed_too_long_ago' });
  }
  if (present) await setCancelled(trx, accountId, present.id, Date.now());
  await setCancelled(trx, accountId, scheduledId, null);
  const plan = await getPlan(trx, accountId, cancelled.plan_id);
  await recordScheduled(trx, { id: accountId, name }, customer, { plan, day: cancelled.day }, by);
  return customer;
}

function checkSeen(present: ScheduledChange | undefined, seenId: number | null | undefined): void {
  if (seenId === undefined || seenId === (present?.id ?? null)) return;
  const params = { plan: present?.plan.name ?? null, day: present?.day ?? null };
  throw new Refusal('conflict', { reason: 'schedule_changed', params });
}

function findCancelled(trx: Trx, accountId: number, customerId: number, id: number) {
  return trx
    .selectFrom('scheduled_plan_changes')
    .select(['plan_id', 'day', 'cancelled_at'])
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('cancelled_at', 'is not', null)
    .executeTakeFirst();
}

async function setCancelled(trx: Trx, accountId: number, id: number, cancelledAt: number | null): Promise<void> {
  await trx
    .updateTable('scheduled_plan_changes')
    .set({ cancelled_at: cancelledAt })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

function recordScheduled(
  trx: Trx,
  seller: { id: number; name: string },
  { id: customerId, name }: CustomerRow,
  { plan, day }: { plan: { name: string }; day: string },
  by: Actor,
): Promise<void> {
  const details = { name, to: plan.name, on: day };
  return recordCustomerEvent(trx, seller, { customerId, change: 'plan_change_scheduled', details }, by);
}
