import { type Actor, recordAuditEvents } from '../audit/record-audit-event.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { AppError, notFound } from '../errors.ts';
import { recordPlanChanges } from '../plans/plan-changes.ts';
import { countCustomer, countTrial, listPlans, type PlanRow } from '../plans/plans.ts';
import { dayAt } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import {
  type CustomerChange,
  type CustomerRow,
  type DecidedChange,
  decideChange,
  decideStatus,
} from './customer-change.ts';
import { customerEvents } from './record-customer-event.ts';
import { findSellers } from './refuse-with-customers.ts';
import { hasTrial, isInTrial } from './trial.ts';
import { unindexedSeller } from './unindexed-seller.ts';

/** The customer before and after a change, or why the change was refused. */
export type CustomerOutcome =
  | { readonly before: CustomerRow; readonly after: CustomerRow }
  | { readonly refusal: AppError };

/**
 * Makes changes of a seller's customers in order, each independently: a refused change does not prevent the others. Returns
 * the outcomes in order. The rows of all changes are written together, so that dozens of changes hold the locks for about as
 * long as a few.
 * @throws AppError `not_found` when there is no such seller
 */
export async function changeCustomers(
  trx: Trx,
  accountId: number,
  changes: readonly CustomerChange[],
  by: Actor,
  now = Date.now(),
): Promise<CustomerOutcome[]> {
  const { name } = await raiseCustomersVersion(trx, accountId);
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const outcomes: CustomerOutcome[] = [];
  for (const part of splitByCustomer(changes)) {
    outcomes.push(...(await changePart(trx, { id: accountId, name, plans }, part, { by, now })));
  }
  return outcomes;
}

/**
 * Divides changes into parts that change each customer at most once: a later change depends on the result of the earlier
 * one.
 */
function splitByCustomer(changes: readonly CustomerChange[]): CustomerChange[][] {
  const parts: CustomerChange[][] = [];
  let seen = new Set<number>();
  for (const change of changes) {
    if (parts.length === 0 || seen.has(change.id)) {
      parts.push([]);
      seen = new Set();
    }
    parts.at(-1)!.push(change);
    seen.add(change.id);
  }
  return parts;
}

interface Seller {
  readonly id: number;
  readonly name: string;
  readonly plans: ReadonlyMap<number, PlanRow>;
}

async function changePart(
  trx: Trx,
  seller: Seller,
  changes: readonly CustomerChange[],
  { by, now }: { by: Actor; now: number },
): Promise<CustomerOutcome[]> {
  const customers = await lockCustomers(
    trx,
    seller.id,
    changes.map(({ id }) => id),
  );
  const formerPlans = await findFormerPlans(trx, seller, changes, now);
  const deleted = changes.filter(({ kind, id }) => kind === 'delete' && customers.has(id)).map(({ id }) => id);
  const sellers = await findSellers(trx, deleted);
  const paid = await findCustomersWhoPaid(trx, seller, changes);
  const circumstances = {
    plans: seller.plans,
    wasJustOn: (customerId: number, planId: number) => formerPlans.get(customerId) === planId,
    hasHadPrice: (customerId: number) => paid.has(customerId),
    hasCustomers: (customerId: number) => sellers.has(customerId),
    now,
    today: dayAt(now, await getTimeZone(trx, seller.id)),
  };
  const made: MadeChange[] = [];
  const outcomes = changes.map((change): CustomerOutcome => {
    try {
      const customer = customers.get(change.id);
      if (!customer) throw notFound('The customer');
      const decided = decideChange(change, customer, circumstances);
      if (decided) made.push({ customer, decided });
      return { before: customer, after: { ...customer, ...decided?.set } };
    } catch (error) {
      if (error instanceof AppError) return { refusal: error };
      throw error;
    }
  });
  await writeChanges(trx, seller, made, { by, now });
  return outcomes;
}

/** Locks and returns the seller's customers with these ids, without those deleted for good. */
async function lockCustomers(
  trx: Trx,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CustomerRow>> {
  let query = trx
    .selectFrom('accounts')
    .selectAll()
    .where(unindexedSeller, '=', accountId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id');
  if (dialectOf(trx) === 'postgres') query = query.forNoKeyUpdate();
  const rows = await query.execute();
  return new Map(rows.flatMap((row) => (row.plan_id === null ? [] : [[row.id, { ...row, plan_id: row.plan_id }]])));
}

/** How long a customer may be moved back to the retired plan that it left. */
const RETURN_PERIOD_MS = 60 * 60 * 1000;

/** Returns the plans that customers have just left, for customers that are to move back to a retired plan. */
async function findFormerPlans(
  trx: Trx,
  { id: accountId, plans }: Seller,
  changes: readonly CustomerChange[],
  now: number,
): Promise<ReadonlyMap<number, number>> {
  const former = new Map<number, number>();
  for (const change of changes) {
    if (change.kind !== 'plan' || change.seenPlanId === undefined) continue;
    if ((plans.get(change.planId)?.retired_at ?? null) === null) continue;
    const last = await trx
      .selectFrom('plan_changes')
      .select(['kind', 'from_plan_id', 'created_at'])
      .where('account_id', '=', accountId)
      .where('customer_id', '=', change.id)
      .orderBy('id', 'desc')
      .limit(limitInIndexOrder(1))
      .executeTakeFirst();
    if (last?.kind === 'moved' && last.from_plan_id !== null && last.created_at > now - RETURN_PERIOD_MS) {
      former.set(change.id, last.from_plan_id);
    }
  }
  return former;
}

/** Returns the customers that have ever been on a plan with a price, of those that are to move to a plan with a trial. */
async function findCustomersWhoPaid(
  trx: Trx,
  { id: accountId, plans }: Seller,
  changes: readonly CustomerChange[],
): Promise<ReadonlySet<number>> {
  const isTrial = (planId: number) => plans.has(planId) && hasTrial(plans.get(planId)!);
  const ids = changes.flatMap((change) => (change.kind === 'plan' && isTrial(change.planId) ? change.id : []));
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('plan_changes')
    .select('customer_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('customer_id', 'in', ids)
    .where('to_price_cents', '>', 0)
    .execute();
  return new Set(rows.map(({ customer_id }) => customer_id));
}

interface MadeChange {
  readonly customer: CustomerRow;
  readonly decided: DecidedChange;
}

/** Writes changes of different customers. The caller has raised the seller's version in the transaction. */
async function writeChanges(
  trx: Trx,
  seller: Pick<Seller, 'id' | 'name'>,
  made: readonly MadeChange[],
  { by, now }: { by: Actor; now: number },
): Promise<void> {
  for (const [, equal] of Map.groupBy(made, ({ decided }) => JSON.stringify(decided.set))) {
    const { set } = equal[0]!.decided;
    // A change of the status shows or hides the site.
    const isSiteAffected = set.status !== undefined;
    await trx
      .updateTable('accounts')
      .set({
        ...set,
        ...(isSiteAffected && { content_version: nextVersion('content_version', now), content_changed_at: now }),
      })
      .where(
        'id',
        'in',
        equal.map(({ customer }) => customer.id),
      )
      .execute();
  }
  await countPlans(trx, seller.id, made);
  const lines = made.flatMap(({ customer, decided: { line } }) =>
    line ? [{ ...line, customerId: customer.id, by }] : [],
  );
  await recordPlanChanges(trx, seller.id, lines);
  const moved = made.filter(({ decided }) => decided.line?.kind === 'moved').map(({ customer }) => customer.id);
  await dropPriceMoves(trx, seller.id, moved);
  const events = made.flatMap(({ customer, decided: { event } }) =>
    event ? customerEvents(seller, { ...event, customerId: customer.id }, by) : [],
  );
  await recordAuditEvents(trx, events);
}

/**
 * Cancels the scheduled price changes of customers that leave their plan: a new price applies only to customers who are
 * still on it.
 */
async function dropPriceMoves(trx: Trx, accountId: number, customerIds: readonly number[]): Promise<void> {
  if (customerIds.length === 0) return;
  await trx
    .deleteFrom('scheduled_plan_changes')
    .where('account_id', '=', accountId)
    .where('customer_id', 'in', customerIds)
    .where('price_change_id', 'is not', null)
    .where('cancelled_at', 'is', null)
    .execute();
}

/** Updates the counts of active customers, and of those in their trial, on the plans that customers leave and move to. */
async function countPlans(trx: Trx, accountId: number, made: readonly MadeChange[]): Promise<void> {
  const changes = new Map<number, { all: number; trial: number }>();
  const count = ({ id }: PlanRow, change: 1 | -1, isTrial: boolean) => {
    const sum = changes.getOrInsertComputed(id, () => ({ all: 0, trial: 0 }));
    sum.all += change;
    if (isTrial) sum.trial += change;
  };
  for (const { customer, decided } of made) {
    const isMoved = decided.line?.kind === 'moved';
    if (!decided.line || (isMoved && customer.status !== 'active')) continue;
    const { from, to, isTrial = false } = decided.line;
    if (from) count(from, -1, isInTrial(customer, from));
    if (to) count(to, 1, isTrial);
  }
  for (const [planId, { all, trial }] of [...changes].sort(([a], [b]) => a - b)) {
    if (all !== 0) await countCustomer(trx, accountId, planId, all);
    if (trial !== 0) await countTrial(trx, accountId, planId, trial);
  }
}

/**
 * Suspends a customer that is being deleted, in the seller's counts and ledger, without an audit event. The caller has
 * raised the seller's version in the transaction.
 * @throws AppError `not_found`
 */
export async function suspendForDeletion(trx: Trx, accountId: number, customerId: number, by: Actor): Promise<void> {
  const customer = (await lockCustomers(trx, accountId, [customerId])).get(customerId);
  if (!customer) throw notFound('The customer');
  if (customer.status === 'suspended') return;
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const decided = decideStatus('suspended', customer, plans);
  await writeChanges(trx, { id: accountId, name: '' }, [{ customer, decided }], { by, now: Date.now() });
}
