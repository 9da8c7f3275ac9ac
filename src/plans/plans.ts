import { type Selectable, sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { prepared } from '../db/prepared.ts';
import { preparedInsertMany } from '../db/prepared-rows.ts';
import type { Interval, PlansTable } from '../db/schema.ts';
import { notFound, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { parseCents } from './money.ts';
import { type PlanFields, parsePlanFields } from './plan-fields.ts';

export type PlanRow = Selectable<PlansTable>;

export const intervals: readonly Interval[] = ['month', 'quarter', 'year'];

/** How many plans an account may have, including retired ones. Lists of plans are read at once, and people choose from them. */
const MAX_PLANS = 1000;

interface CreatePlanInput extends PlanFields {
  name: string;
  /** A decimal with at most two places: `49.00`. */
  price: string;
  interval: string;
  isDefault: boolean;
}

/**
 * Adds a plan to those that the account sells, and returns its id. With `isDefault`, new customers are put on it from now
 * on.
 * @throws ValidationError with every field that breaks a rule; AppError `conflict` if the account has as many plans as it
 * may.
 */
export async function createPlan(trx: Trx, accountId: number, input: CreatePlanInput, by: Actor): Promise<number> {
  const { columns, failures } = parsePlanFields(input);
  const price = parseCents(input.price);
  const interval = intervals.find((known) => known === input.interval);
  if (price === undefined) failures.push({ field: 'price', code: 'not_an_amount' });
  if (!interval) failures.push({ field: 'interval', code: 'not_one_of', params: { values: intervals } });
  if (price === undefined || !interval || failures.length > 0) throw new ValidationError(failures);

  await raiseCustomersVersion(trx, accountId);
  await checkPlanCount(trx, accountId);
  if (input.isDefault) {
    await trx.updateTable('plans').set({ is_default: 0 }).where('account_id', '=', accountId).execute();
  }
  try {
    const name = columns.name!;
    const { id } = await trx
      .insertInto('plans')
      .values((e) => ({
        account_id: accountId,
        ...columns,
        name,
        price_cents: price,
        interval,
        created_at: Date.now(),
        is_default: input.isDefault ? 1 : 0,
        position: e
          .selectFrom('plans')
          .select((of) => of(of.fn.coalesce(of.fn.max('position'), sql.lit(0)), '+', sql.lit(1)).as('next'))
          .where('account_id', '=', accountId),
      }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordAuditEvent(trx, accountId, by, { action: 'plan.created', subject: `plan_${id}`, details: { name } });
    return id;
  } catch (error) {
    if (violatedUniqueRule(error) === 'plans_name') throw new ValidationError([{ field: 'name', code: 'taken' }]);
    throw error;
  }
}

/** Checks that the account, which the transaction has locked, may have another plan. @throws AppError `conflict` */
async function checkPlanCount(trx: Trx, accountId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('plans')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_PLANS) return;
  throw new Refusal('conflict', { reason: 'too_many_plans', params: { max: MAX_PLANS } });
}

/** Creates the free plan that every account has from the start, so that it can have customers at once. */
export async function createFreePlan(trx: Trx, accountId: number): Promise<void> {
  await createFreePlans(trx, [accountId]);
}

/** Creates the free plan of each of the new accounts. */
export async function createFreePlans(trx: Trx, accountIds: readonly number[]): Promise<void> {
  const free = { name: 'Free', price_cents: 0, interval: 'month', is_default: 1 } as const;
  const now = Date.now();
  await insert(
    trx,
    accountIds.map((accountId) => ({ account_id: accountId, ...free, created_at: now })),
  );
}

const insert = preparedInsertMany('plans', {
  account_id: 'bigint',
  name: 'text',
  price_cents: 'bigint',
  interval: 'text',
  is_default: 'bigint',
  created_at: 'bigint',
});

/** Lists the account's plans in the order of the seller's list. */
export function listPlans(db: Db | Trx, accountId: number): Promise<PlanRow[]> {
  const plans = db.selectFrom('plans').selectAll().where('account_id', '=', accountId);
  return plans.orderBy('position').orderBy('id').execute();
}

/** Lists the account's plans, or all plans if the account is undefined, each with the subdomain of its seller. */
export function listPlansOf(
  db: Db,
  accountId: number | undefined,
  { after, limit }: { after: number; limit: number },
): Promise<Array<PlanRow & { seller: string }>> {
  const plans = db
    .selectFrom('plans')
    .innerJoin('accounts', 'accounts.id', 'plans.account_id')
    .selectAll('plans')
    .select('accounts.subdomain as seller')
    .where('accounts.deleted_at', 'is', null)
    .where('plans.id', '>', after)
    .orderBy('plans.id')
    .limit(limitInIndexOrder(limit));
  return (accountId === undefined ? plans : plans.where('plans.account_id', '=', accountId)).execute();
}

/** Returns a plan of the account. @throws AppError `not_found` */
export async function getPlan(trx: Db | Trx, accountId: number, planId: number): Promise<PlanRow> {
  const plan = await trx
    .selectFrom('plans')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', planId)
    .executeTakeFirst();
  if (!plan) throw notFound('The plan');
  return plan;
}

/** Checks that customers can be put on the plan. @throws AppError `conflict` if the plan is retired. */
export function checkOffered(plan: PlanRow): void {
  if (plan.retired_at === null) return;
  throw new Refusal('conflict', { reason: 'plan_retired', params: { plan: plan.name } });
}

/** Adds a new customer to the count of the account's default plan, and returns that plan. */
export async function countNewCustomer(trx: Trx, accountId: number): Promise<PlanRow> {
  const [plan] = await countOnDefaultPlan(trx, { accountId });
  // Every account has a default plan from the start: see createFreePlan.
  return plan!;
}

const columns = [
  'id',
  'account_id',
  'name',
  'price_cents',
  'interval',
  'is_default',
  'active_customers',
  'created_at',
  'retired_at',
  'description',
  'position',
  'max_pages',
  'max_people',
  'max_storage_bytes',
  'max_domains',
  'trial_days',
  'trial_customers',
] as const;

const countOnDefaultPlan = prepared<{ accountId: number }, PlanRow>((db, parameter) =>
  db
    .updateTable('plans')
    .set((e) => ({ active_customers: e('active_customers', '+', sql.lit(1)) }))
    .where('account_id', '=', parameter('accountId'))
    .where('is_default', '=', sql.lit(1))
    .returning(columns),
);

/**
 * Adds a new customer to the count of the plan that was chosen for it, and returns that plan.
 * @throws AppError `not_found`; `conflict` if the plan is retired.
 */
export async function countNewCustomerOn(trx: Trx, accountId: number, planId: number): Promise<PlanRow> {
  const plan = await getPlan(trx, accountId, planId);
  checkOffered(plan);
  await countCustomer(trx, accountId, planId, 1);
  return plan;
}

/** Adds `change`, which may be negative, to the plan's number of active customers. */
export async function countCustomer(trx: Trx, accountId: number, planId: number, change: number): Promise<void> {
  await count(trx, { accountId, planId, change });
}

const count = prepared<{ accountId: number; planId: number; change: number }, unknown>((db, parameter) =>
  db
    .updateTable('plans')
    .set((e) => ({ active_customers: e('active_customers', '+', parameter('change')) }))
    .where('account_id', '=', parameter('accountId'))
    .where('id', '=', parameter('planId')),
);

/** Adds `change`, which may be negative, to the plan's number of active customers in a trial. */
export async function countTrial(trx: Trx, accountId: number, planId: number, change: number): Promise<void> {
  await trx
    .updateTable('plans')
    .set((e) => ({ trial_customers: e('trial_customers', '+', change) }))
    .where('account_id', '=', accountId)
    .where('id', '=', planId)
    .execute();
}
