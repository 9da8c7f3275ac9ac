import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Trx } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import { validateName } from '../name.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { checkOffered, getPlan, type PlanRow } from './plans.ts';

interface PlanVerb {
  /** Returns the columns to set, or undefined if the plan needs no change. */
  change: (plan: PlanRow) => Partial<Pick<PlanRow, 'name' | 'is_default' | 'retired_at'>> | undefined;
  event: string;
}

/**
 * Gives a plan another name. The ledger keeps the names of the past.
 * @throws AppError `not_found`; ValidationError
 */
export async function renamePlan(
  trx: Trx,
  accountId: number,
  { planId, name }: { planId: number; name: string },
  by: Actor,
): Promise<PlanRow> {
  const trimmed = name.trim();
  const problem = validateName(trimmed);
  if (problem) throw new ValidationError([{ field: 'name', ...problem }]);
  const change = (plan: PlanRow) => (plan.name === trimmed ? undefined : { name: trimmed });
  try {
    return await changePlanRow(trx, accountId, planId, { change, event: 'plan.renamed' }, by);
  } catch (error) {
    if (violatedUniqueRule(error) === 'plans_name') throw new ValidationError([{ field: 'name', code: 'taken' }]);
    throw error;
  }
}

/**
 * Makes a plan the one that new customers are put on.
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
 * Retires a plan: its customers stay on it, and nobody else is put on it.
 * @throws AppError `not_found`; `conflict` if it is the default.
 */
export function retirePlan(trx: Trx, accountId: number, planId: number, by: Actor): Promise<PlanRow> {
  const change = (plan: PlanRow) => {
    if (plan.is_default) {
      const message = `New customers are put on the plan "${plan.name}". Make another plan the default first.`;
      throw new AppError('conflict', message);
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
  const details = columns.name === undefined ? { name: plan.name } : { from: plan.name, name: columns.name };
  await recordAuditEvent(trx, accountId, by, { action: event, subject: `plan_${planId}`, details });
  return { ...plan, ...columns };
}
