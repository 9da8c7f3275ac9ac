import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isNotDeleted } from '../accounts/not-deleted.ts';
import type { Db, Trx } from '../db/database.ts';
import { annualCents, parseCents } from '../plans/money.ts';
import { getPlan } from '../plans/plans.ts';
import { REMOVAL_RETENTION_MS } from '../removals/removals.ts';
import { dayAt } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';

/**
 * Returns the condition for customers that a price change of the plan moves: all on the plan, except those with another
 * scheduled change.
 */
export function isMovedByPriceChange(accountId: number, planId: number): RawBuilder<SqlBool> {
  return sql`accounts.parent_id = ${accountId} and accounts.plan_id = ${planId} and ${isNotDeleted} and not exists (
    select 1 from scheduled_plan_changes as others
    where others.customer_id = accounts.id and others.cancelled_at is null
  )`;
}

/** The effect of a new price on the customers of the plan. */
interface PriceChangePreview {
  /** The number of customers that would move. `active` counts those that are not suspended. */
  moves: number;
  active: number;
  /** The number of customers with another scheduled change, which stays. */
  others: number;
  /** The annual revenue in cents from the customers that would move, before and after. Customers in a trial pay nothing yet. */
  annualCents: number;
  newAnnualCents: number;
}

/** Returns the effect of a new price on the customers of the plan. @throws AppError `not_found` */
export async function previewPriceChange(
  db: Db,
  accountId: number,
  { planId, price }: { planId: number; price: string },
): Promise<PriceChangePreview> {
  const plan = await getPlan(db, accountId, planId);
  const count = async (condition: RawBuilder<SqlBool>) => {
    const { rows } = await sql<{ status: string; count: number | string; paying: number | string }>`
      select status, count(*) as count, sum(case when trial_ends_on is null then 1 else 0 end) as paying
      from accounts where ${condition} group by status`.execute(db);
    const [active, suspended] = ['active', 'suspended'].map((status) => rows.find((row) => row.status === status));
    const all = Number(active?.count ?? 0) + Number(suspended?.count ?? 0);
    return { active: Number(active?.count ?? 0), paying: Number(active?.paying ?? 0), all };
  };
  const moving = await count(isMovedByPriceChange(accountId, planId));
  const onPlan = sql<SqlBool>`accounts.parent_id = ${accountId} and accounts.plan_id = ${planId} and ${isNotDeleted}`;
  const now = annualCents(plan);
  const then = annualCents({ ...plan, price_cents: parseCents(price) ?? plan.price_cents });
  return {
    moves: moving.all,
    active: moving.active,
    others: (await count(onPlan)).all - moving.all,
    annualCents: moving.paying * now,
    newAnnualCents: moving.paying * then,
  };
}

/** A price change that waits for its day. */
interface WaitingPriceChange {
  id: number;
  fromPlanId: number;
  toPlanId: number;
  day: string;
  /** How many customers it will move. */
  moves: number;
}

/** Lists the price changes that wait for their day, earliest first. */
export async function listWaitingPriceChanges(db: Db | Trx, accountId: number): Promise<WaitingPriceChange[]> {
  const today = dayAt(Date.now(), await getTimeZone(db, accountId));
  const rows = await db
    .selectFrom('price_changes')
    .select((e) => [
      'id',
      'from_plan_id as fromPlanId',
      'to_plan_id as toPlanId',
      'day',
      e
        .selectFrom('scheduled_plan_changes as moves')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('moves.account_id', '=', accountId)
        .whereRef('moves.price_change_id', '=', 'price_changes.id')
        .where('moves.cancelled_at', 'is', null)
        .where('moves.failed_at', 'is', null)
        .as('moves'),
    ])
    .where('account_id', '=', accountId)
    .where('day', '>', today)
    .orderBy('day')
    .orderBy('id')
    .execute();
  return rows.map(({ day, moves, ...change }) => ({ ...change, day: day!, moves: Number(moves ?? 0) }));
}

/** Returns the price change if it can be undone: until its day begins or, if it has no day, for 10 minutes. */
export async function findPriceChange(trx: Trx, accountId: number, id: number) {
  const change = await trx
    .selectFrom('price_changes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!change) return undefined;
  const isOpen =
    change.day === null
      ? change.created_at > Date.now() - REMOVAL_RETENTION_MS
      : change.day > dayAt(Date.now(), await getTimeZone(trx, accountId));
  return isOpen ? change : undefined;
}

/** Returns true if a customer is or was on the plan, is scheduled to move to it, or a price change refers to the plan. */
export async function isPlanReferenced(trx: Trx, accountId: number, planId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from plan_revenue_lines where account_id = ${accountId} and plan_id = ${planId})
      or exists (select 1 from accounts where parent_id = ${accountId} and plan_id = ${planId})
      or exists (select 1 from scheduled_plan_changes where account_id = ${accountId} and plan_id = ${planId})
      or exists (select 1 from price_changes where account_id = ${accountId}
        and (from_plan_id = ${planId} or to_plan_id = ${planId}))`.execute(trx);
  return rows.length > 0;
}
