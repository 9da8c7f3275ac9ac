import { notFound, ValidationError } from '../errors.ts';
import type { PlanChange } from '../plans/plan-changes.ts';
import { checkOffered, type PlanRow } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { daysAfter } from '../revenue/days.ts';
import type { AccountRow } from './account.ts';
import type { CustomerEvent } from './record-customer-event.ts';
import { hasTrial, isInTrial } from './trial.ts';

/** A customer's account, which is always on a plan of its seller. */
export type CustomerRow = AccountRow & { readonly plan_id: number };

/**
 * A change of a customer. It is refused if the plan or reason that the user saw is no longer current, so that nobody
 * overwrites another user's change.
 */
export type CustomerChange =
  | { readonly kind: 'plan'; readonly id: number; readonly planId: number; readonly seenPlanId?: number | undefined }
  | { readonly kind: 'suspend'; readonly id: number; readonly reason?: string | undefined }
  | { readonly kind: 'restore'; readonly id: number; readonly seenReason?: string | null | undefined }
  | { readonly kind: 'delete' | 'undelete'; readonly id: number };

/** The columns that a change sets, its line in the ledger and its audit event. */
export interface DecidedChange {
  readonly set: Partial<
    Pick<
      CustomerRow,
      'plan_id' | 'trial_ends_on' | 'status' | 'suspension_reason' | 'deletes_at' | 'status_before_deletion'
    >
  >;
  /** The line of the ledger. */
  readonly line?: Pick<PlanChange, 'kind' | 'from' | 'to' | 'isTrial'>;
  readonly event?: Omit<CustomerEvent, 'customerId'>;
}

interface Circumstances {
  /** The seller's plans by id. */
  readonly plans: ReadonlyMap<number, PlanRow>;
  /** True if the customer has just been moved from this plan. */
  readonly wasJustOn: (customerId: number, planId: number) => boolean;
  /** True if the customer has ever been on a plan with a price. */
  readonly hasHadPrice: (customerId: number) => boolean;
  readonly hasCustomers: (customerId: number) => boolean;
  readonly now: number;
  /** Today's date in the seller's time zone. */
  readonly today: string;
}

/** How long a deleted customer can be restored. */
export const DELETION_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

const MAX_REASON_CHARACTERS = 500;

/**
 * Returns what a change of the customer writes; undefined if the customer is in that state already.
 * @throws AppError if the change is refused
 */
export function decideChange(
  change: CustomerChange,
  customer: CustomerRow,
  circumstances: Circumstances,
): DecidedChange | undefined {
  switch (change.kind) {
    case 'plan':
      return decidePlan(change, customer, circumstances);
    case 'suspend':
      return decideSuspension(change.reason, customer, circumstances.plans);
    case 'restore':
      return decideRestoring(change.seenReason, customer, circumstances.plans);
    case 'delete':
      return decideDeletion(customer, circumstances);
    case 'undelete':
      return decideUndeletion(customer, circumstances.plans);
  }
}

function decidePlan(
  { planId, seenPlanId }: Extract<CustomerChange, { kind: 'plan' }>,
  customer: CustomerRow,
  { plans, wasJustOn, hasHadPrice, today }: Circumstances,
): DecidedChange | undefined {
  const to = plans.get(planId);
  if (!to) throw notFound('The plan');
  if (customer.plan_id === planId) return undefined;
  checkNotDeleted(customer);
  const from = plans.get(customer.plan_id)!;
  if (seenPlanId !== undefined && seenPlanId !== from.id) {
    throw new Refusal('conflict', { reason: 'customer_on_other_plan', params: { plan: from.name } });
  }
  // A user can undo a change even if the former plan was retired in the meantime.
  const isUndo = seenPlanId !== undefined && wasJustOn(customer.id, planId);
  if (!isUndo) checkOffered(to);
  const details = { name: customer.name, from: from.name, to: to.name };
  const begins = customer.trial_ends_on === null && hasTrial(to) && !hasHadPrice(customer.id);
  const isTrial = begins || isInTrial(customer, to);
  return {
    set: { plan_id: planId, ...(begins && { trial_ends_on: daysAfter(today, to.trial_days) }) },
    line: { kind: 'moved', from, to, isTrial },
    event: { change: 'plan_changed', details },
  };
}

function decideSuspension(
  reason: string | undefined,
  customer: CustomerRow,
  plans: Circumstances['plans'],
): DecidedChange | undefined {
  const because = parseReason(reason);
  checkNotDeleted(customer);
  const { name, status, suspension_reason: present } = customer;
  if (status === 'suspended') {
    if (reason === undefined || because === present) return undefined;
    throw new Refusal('conflict', { reason: 'customer_suspended_already', params: { because: present } });
  }
  const { set, line } = decideStatus('suspended', customer, plans);
  const details = { name, ...(because !== null && { reason: because }) };
  return { set: { ...set, suspension_reason: because }, line, event: { change: 'suspended', details } };
}

/**
 * Returns the trimmed reason of a suspension; null if it is empty or undefined.
 * @throws ValidationError when the reason is too long
 */
export function parseReason(reason: string | undefined): string | null {
  const because = reason?.trim() || null;
  if ((because ?? '').length > MAX_REASON_CHARACTERS) {
    throw new ValidationError([{ field: 'reason', code: 'too_long', params: { max: MAX_REASON_CHARACTERS } }]);
  }
  return because;
}

function decideRestoring(
  seenReason: string | null | undefined,
  customer: CustomerRow,
  plans: Circumstances['plans'],
): DecidedChange | undefined {
  checkNotDeleted(customer);
  const { name, status, suspension_reason: because } = customer;
  if (status === 'active') return undefined;
  if (seenReason !== undefined && seenReason !== because) {
    throw new Refusal('conflict', { reason: 'customer_not_suspended_so', params: { because } });
  }
  return { ...decideStatus('active', customer, plans), event: { change: 'restored', details: { name } } };
}

function decideDeletion(customer: CustomerRow, { plans, hasCustomers, now }: Circumstances): DecidedChange | undefined {
  const { id, name, status, deletes_at, suspension_reason } = customer;
  if (deletes_at !== null) return undefined;
  if (hasCustomers(id)) throw new Refusal('conflict', { reason: 'customer_has_customers' });
  const suspended = status === 'active' ? decideStatus('suspended', customer, plans) : undefined;
  const deletion = { deletes_at: now + DELETION_PERIOD_MS, status_before_deletion: status, suspension_reason };
  const event = { change: 'deletion_started', details: { name } } as const;
  return { ...suspended, set: { ...suspended?.set, ...deletion }, event };
}

function decideUndeletion(customer: CustomerRow, plans: Circumstances['plans']): DecidedChange | undefined {
  const { name, deletes_at, status_before_deletion: status } = customer;
  if (deletes_at === null) return undefined;
  const active = status === 'active' ? decideStatus('active', customer, plans) : undefined;
  const restored = { deletes_at: null, status_before_deletion: null };
  return { ...active, set: { ...active?.set, ...restored }, event: { change: 'deletion_undone', details: { name } } };
}

/** Returns what a change of the status writes, without an event. It clears the reason of a suspension. */
export function decideStatus(
  status: 'active' | 'suspended',
  customer: CustomerRow,
  plans: Circumstances['plans'],
): DecidedChange & { readonly line: object } {
  const plan = plans.get(customer.plan_id)!;
  const line =
    status === 'active'
      ? ({ kind: 'restored', from: null, to: plan, isTrial: isInTrial(customer, plan) } as const)
      : ({ kind: 'suspended', from: plan, to: null } as const);
  return { set: { status, suspension_reason: null }, line };
}

/**
 * Checks that the customer is not deleted.
 * @throws AppError `conflict` if it is deleted and its 30 days for being restored are not over
 */
export function checkNotDeleted({ deletes_at }: CustomerRow): void {
  if (deletes_at === null) return;
  throw new Refusal('conflict', { reason: 'customer_deleted' });
}
