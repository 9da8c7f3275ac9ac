import { sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { movePlan, retirePlan } from '../plans/change-plan.ts';
import { decimal, parseCents } from '../plans/money.ts';
import { limitsOf } from '../plans/plan-fields.ts';
import { checkOffered, createPlan, getPlan, listPlans, type PlanRow } from '../plans/plans.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { checkDay } from './check-day.ts';
import { findPriceChange, isMovedByPriceChange, isPlanReferenced } from './price-change.ts';

interface ChangePriceInput {
  planId: number;
  /** The name of the plan at the new price. */
  name: string;
  price: string;
  /** `YYYY-MM-DD`: the day from which customers of the plan pay the new price too. Undefined if they keep the old price. */
  day?: string | undefined;
}

/**
 * Changes the price of a plan: a new plan with the same limits replaces it, and the old one is retired. With a day, all
 * customers of the old plan are scheduled to move on that day, except those with another scheduled change. Returns the id of
 * the change, and how many customers it moves.
 * @throws AppError `not_found`; `conflict` if the plan is retired; ValidationError
 */
export async function changePrice(
  trx: Trx,
  accountId: number,
  { planId, name, price, day }: ChangePriceInput,
  by: Actor,
): Promise<{ id: number; planId: number; moves: number }> {
  await raiseCustomersVersion(trx, accountId);
  const plan = await getPlan(trx, accountId, planId);
  checkOffered(plan);
  if (parseCents(price) === plan.price_cents) throw new ValidationError([{ field: 'price', code: 'as_before' }]);
  if (day !== undefined) await checkDay(trx, accountId, day);
  const toPlanId = await replacePlan(trx, accountId, plan, { name, price }, by);
  const change = { account_id: accountId, from_plan_id: planId, to_plan_id: toPlanId, day: day ?? null };
  const { id } = await trx
    .insertInto('price_changes')
    .values({ ...change, created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const moves = day === undefined ? 0 : await scheduleMoves(trx, accountId, { id, planId, toPlanId, day });
  const to = await getPlan(trx, accountId, toPlanId);
  const details = { name: plan.name, to: to.name, from_price: decimal(plan.price_cents) };
  await recordAuditEvent(trx, accountId, by, {
    action: 'plan.price_changed',
    subject: `plan_${planId}`,
    details: { ...details, to_price: decimal(to.price_cents), ...(day !== undefined && { on: day, customers: moves }) },
  });
  return { id, planId: toPlanId, moves };
}

/**
 * Creates the plan at the new price, puts it in the position of the old one, and retires the old one. Returns the new plan's
 * id.
 */
async function replacePlan(
  trx: Trx,
  accountId: number,
  plan: PlanRow,
  { name, price }: Pick<ChangePriceInput, 'name' | 'price'>,
  by: Actor,
): Promise<number> {
  const { description, interval, is_default, trial_days: trialDays } = plan;
  const fields = { name, price, description, interval, trialDays, isDefault: is_default === 1, ...limitsOf(plan) };
  const id = await createPlan(trx, accountId, fields, by);
  const place = (await listPlans(trx, accountId)).findIndex((listed) => listed.id === plan.id);
  await movePlan(trx, accountId, { planId: id, position: place + 1 }, by);
  await retirePlan(trx, accountId, plan.id, by);
  return id;
}

interface MovesInput {
  id: number;
  planId: number;
  toPlanId: number;
  day: string;
}

/** Schedules the moves of all customers in one statement. They may exceed the plan's limits, which stay the same. */
async function scheduleMoves(trx: Trx, accountId: number, { id, planId, toPlanId, day }: MovesInput): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into scheduled_plan_changes
      (account_id, customer_id, plan_id, day, allows_excess, created_at, price_change_id)
    select ${accountId}, accounts.id, ${toPlanId}, ${day}, 1, ${Date.now()}, ${id}
    from accounts where ${isMovedByPriceChange(accountId, planId)} order by accounts.id`.execute(trx);
  return Number(numAffectedRows);
}

/**
 * Undoes a price change before its day: the old plan is offered again, and its customers stay on it. The new plan is deleted
 * if no customer has been on it, and retired otherwise.
 * @throws AppError `not_found` once the day has begun.
 */
export async function undoPriceChange(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await raiseCustomersVersion(trx, accountId);
  const change = await findPriceChange(trx, accountId, id);
  if (!change) throw notFound('The price change');
  await trx
    .deleteFrom('scheduled_plan_changes')
    .where('account_id', '=', accountId)
    .where('price_change_id', '=', id)
    .execute();
  await trx.deleteFrom('price_changes').where('account_id', '=', accountId).where('id', '=', id).execute();
  const [from, to] = [
    await getPlan(trx, accountId, change.from_plan_id),
    await getPlan(trx, accountId, change.to_plan_id),
  ];
  const plans = trx.updateTable('plans').where('account_id', '=', accountId);
  await plans.set({ is_default: 0 }).where('id', '=', to.id).execute();
  await plans
    .set({ retired_at: null, is_default: to.is_default || from.is_default })
    .where('id', '=', from.id)
    .execute();
  if (await isPlanReferenced(trx, accountId, to.id)) {
    await plans.set({ retired_at: Date.now() }).where('id', '=', to.id).execute();
  } else await trx.deleteFrom('plans').where('account_id', '=', accountId).where('id', '=', to.id).execute();
  const details = { name: from.name, to: to.name };
  const event = { action: 'plan.price_change_undone', subject: `plan_${from.id}`, details };
  await recordAuditEvent(trx, accountId, by, event);
}
