import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { type PlanFields, parsePlanFields } from './plan-fields.ts';
import { checkOffered, getPlan, listPlans, type PlanRow } from './plans.ts';

type PlanColumns = Partial<Omit<PlanRow, 'id' | 'account_id' | 'active_customers' | 'trial_customers' | 'created_at'>>;

interface PlanVerb {
  /** Returns the columns to set, or undefined if the plan needs no change. */
  change: (plan: PlanRow) => PlanColumns | undefined;
  event: string;
}

/**
 * Changes the name, description or limits of a plan; fields that are not given stay as they are. The ledger keeps old names.
 * A customer that exceeds a new limit keeps what it has, but gets no more.
 * @throws AppError `not_found`; ValidationError
 */
export async function updatePlan(
  trx: Trx,
  accountId: number,
  { planId, ...fields }: { planId: number } & PlanFields,
  by: Actor,
): Promise<PlanRow> {
  const { columns, failures } = parsePlanFields(fields);
  if (failures.length > 0) throw new ValidationError(failures);
  const change = (plan: PlanRow) => {
    const changed = Object.entries(columns).filter(([column, value]) => plan[column as keyof PlanRow] !== value);
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  };
  const event = 'name' in fields && Object.keys(columns).length === 1 ? 'plan.renamed' : 'plan.changed';
  try {
    return await changePlanRow(trx, accountId, planId, { change, event }, by);
  } catch (error) {
    if (violatedUniqueRule(error) === 'plans_name') throw new ValidationError([{ field: 'name', code: 'taken' }]);
    throw error;
  }
}

/**
 * Makes a plan the default for new customers.
 * @throws AppError `not_found`; `conflict` if the plan is retired.
 */
export function makePlanDefault(trx: Trx, accountId: number, planId: number, by: Actor): Promise<PlanRow> {
  const change = (plan: PlanRow) => {
    checkOffered(plan);
    return plan.is_default ? undefined : { is_default: 1 as const };
  };
  return changePlanRow(trx, accountId, planId, { change, event: 'plan.made_default' }, by);
}

/**
 * Retires a plan: its customers stay on it, and no other customer is put on it.
 * @throws AppError `not_found`; `conflict` if the plan is the default.
 */
export function retirePlan(trx: Trx, accountId: number, planId: number, by: Actor): Promise<PlanRow> {
  const change = (plan: PlanRow) => {
    if (plan.is_default) {
      throw new Refusal('conflict', { reason: 'plan_is_default', params: { plan: plan.name } });
    }
    return plan.retired_at === null ? { retired_at: Date.now() } : undefined;
  };
  return changePlanRow(trx, accountId, planId, { change, event: 'plan.retired' }, by);
}

/**
 * Offers a retired plan again.
 * @throws AppError `not_found`
 */
export function restorePlan(trx: Trx, accountId: number, planId: number, by: Actor): Promise<PlanRow> {
  const change = (plan: PlanRow) => (plan.retired_at === null ? undefined : { retired_at: null });
  return changePlanRow(trx, accountId, planId, { change, event: 'plan.restored' }, by);
}

/**
 * Moves a plan to a position in the account's list, counted from 1. A position beyond the end means the last one.
 * @throws AppError `not_found`
 */
export async function movePlan(
  trx: Trx,
  accountId: number,
  { planId, position }: { planId: number; position: number },
  by: Actor,
): Promise<void> {
  await raiseCustomersVersion(trx, accountId);
  const { name } = await getPlan(trx, accountId, planId);
  const before = (await listPlans(trx, accountId)).map(({ id }) => id);
  const others = before.filter((id) => id !== planId);
  const after = others.toSpliced(Math.max(0, position - 1), 0, planId);
  if (after.every((id, index) => id === before[index])) return;
  for (const [index, id] of after.entries()) {
    const plan = trx.updateTable('plans').where('account_id', '=', accountId).where('id', '=', id);
    await plan.set({ position: index + 1 }).execute();
  }
  const event = { action: 'plan.moved', subject: `plan_${planId}`, details: { name } };
  await recordAuditEvent(trx, accountId, by, event);
}

async function changePlanRow(
  trx: Trx,
  accountId: number,
  planId: number,
  { change, event }: PlanVerb,
  by: Actor,
): Promise<PlanRow> {
  await raiseCustomersVersion(trx, accountId);
  const plan = await getPlan(trx, accountId, planId);
  const columns = change(plan);
  if (!columns) return plan;
  if (columns.is_default) {
    await trx.updateTable('plans').set({ is_default: 0 }).where('account_id', '=', accountId).execute();
  }
  await trx.updateTable('plans').set(columns).where('account_id', '=', accountId).where('id', '=', planId).execute();
  const { name = plan.name, trial_days, max_pages, max_people, max_storage_bytes, max_domains } = columns;
  const limits = { trial_days, max_pages, max_people, max_storage_bytes, max_domains };
  const details = { ...(columns.name !== undefined && { from: plan.name }), name, ...limits };
  await recordAuditEvent(trx, accountId, by, { action: event, subject: `plan_${planId}`, details });
  return { ...plan, ...columns };
}
