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
  | { readonly before: CustomerRow; readonly now: CustomerRow }
  | { readonly refusal: AppError };

/**
 * Makes changes of a seller's customers in their order, each for itself: one that is refused keeps no other from being made. Returns
 * the outcomes in order. What they write is written together, so that others wait for some dozens about as long as for a few.
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
  for (const some of withDifferentCustomers(changes)) {
    outcomes.push(...(await changeDifferent(trx, { id: accountId, name, plans }, some, { by, now })));
  }
  return outcomes;
}

/** Divides changes so that each part changes a customer once: a later change depends on what the earlier one has made of it. */
function withDifferentCustomers(changes: readonly CustomerChange[]): CustomerChange[][] {
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

async function changeDifferent(
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
  const former = await findFormerPlans(trx, seller, changes);
  const deleted = changes.filter(({ kind, id }) => kind === 'delete' && customers.has(id)).map(({ id }) => id);
  const sellers = await findSellers(trx, deleted);
  const paid = await findPaid(trx, seller, changes);
  const circumstances = {
    plans: seller.plans,
    wasJustOn: (customerId: number, planId: number) => former.get(customerId) === planId,
    hasHadPrice: (customerId: number) => paid.has(customerId),
    hasCustomers: (customerId: number) => sellers.has(customerId),
    now,
    today: dayAt(Date.now(), await getTimeZone(trx, seller.id)),
  };
  const made: MadeChange[] = [];
  const outcomes = changes.map((change): CustomerOutcome => {
    try {
      const customer = customers.get(change.id);
      if (!customer) throw notFound('The customer');
      const decided = decideChange(change, customer, circumstances);
      if (decided) made.push({ customer, decided });
      return { before: customer, now: { ...customer, ...decided?.set } };
    } catch (error) {
      if (error instanceof AppError) return { refusal: error };
      throw error;
    }
  });
  await writeChanges(trx, seller, made, by);
  return outcomes;
}

/** Returns the seller's customers of these ids that have not been deleted, locked. */
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

/** How long a customer may be put back on a retired plan that it was moved from. */
const RETURN_PERIOD_MS = 60 * 60 * 1000;

/** Returns the plans that customers have just been moved from, where it matters: if they are to go back to a retired one. */
async function findFormerPlans(
  trx: Trx,
  { id: accountId, plans }: Seller,
  changes: readonly CustomerChange[],
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
    if (last?.kind === 'moved' && last.from_plan_id !== null && last.created_at > Date.now() - RETURN_PERIOD_MS) {
      former.set(change.id, last.from_plan_id);
    }
  }
  return former;
}

/** Returns the customers that have been on a plan with a price, where it matters: if they are to be put on one with a trial. */
async function findPaid(
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

/** Writes changes of different customers. The transaction has raised the seller's version. */
async function writeChanges(
  trx: Trx,
  seller: Pick<Seller, 'id' | 'name'>,
  made: readonly MadeChange[],
  by: Actor,
): Promise<void> {
  const now = Date.now();
  for (const [, same] of Map.groupBy(made, ({ decided }) => JSON.stringify(decided.set))) {
    const { set } = same[0]!.decided;
    // The site appears or disappears.
    const isShown = set.status !== undefined;
    await trx
      .updateTable('accounts')
      .set({
        ...set,
        ...(isShown && { content_version: nextVersion('content_version', now), content_changed_at: now }),
      })
      .where(
        'id',
        'in',
        same.map(({ customer }) => customer.id),
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

/** A new price is for those on the plan: customers that leave it before the day are not moved. */
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

/** Counts the active customers of the plans that customers leave and come to, and those of them that are in their trial. */
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
 * Suspends a customer in the seller's counts and ledger, without an audit event: of a customer that is being deleted. The
 * transaction has raised the seller's version.
 * @throws AppError `not_found`
 */
export async function suspendForDeletion(trx: Trx, accountId: number, customerId: number, by: Actor): Promise<void> {
  const customer = (await lockCustomers(trx, accountId, [customerId])).get(customerId);
  if (!customer) throw notFound('The customer');
  if (customer.status === 'suspended') return;
  const plans = new Map((await listPlans(trx, accountId)).map((plan) => [plan.id, plan]));
  const decided = decideStatus('suspended', customer, plans);
  await writeChanges(trx, { id: accountId, name: '' }, [{ customer, decided }], by);
}
