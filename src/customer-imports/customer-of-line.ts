import type { AccountValues } from '../accounts/create-account.ts';
import type { FieldError } from '../field-error.ts';
import type { PlanRow } from '../plans/plans.ts';
import type { ImportColumns, ImportField } from './columns.ts';

/** A customer as a line describes it. An empty plan or language is none. */
export interface ImportedCustomer extends AccountValues {
  planId: number | undefined;
  language: string | undefined;
}

/** Returns the customer that a line describes, and what is wrong with its plan. */
export function customerOfLine(
  cells: readonly string[],
  columns: ImportColumns,
  findPlan: FindPlan,
): { customer: ImportedCustomer; failures: FieldError[] } {
  const textOf = (field: ImportField) => cells[columns[field] ?? -1] ?? '';
  const planName = textOf('plan').trim();
  const plan = findPlan(planName);
  const failures: FieldError[] = [];
  if (planName !== '' && !plan) failures.push({ field: 'plan', code: 'missing' });
  if (plan && plan.retired_at !== null) failures.push({ field: 'plan', code: 'not_included' });
  const customer = {
    accountName: textOf('account_name'),
    subdomain: textOf('account_subdomain'),
    userName: textOf('user_name'),
    userEmail: textOf('user_email'),
    planId: plan?.id,
    language: textOf('language').trim() || undefined,
  };
  return { customer, failures };
}

/** Finds a plan by its name or its id (`plan_3`). */
export type FindPlan = (name: string) => PlanRow | undefined;

/** Returns how to find the seller's plans. Case matters only if two names differ in nothing else. */
export function planFinder(plans: readonly PlanRow[]): FindPlan {
  const [exact, others] = [new Map<string, PlanRow>(), new Map<string, PlanRow>()];
  for (const plan of plans) {
    exact.getOrInsert(plan.name, plan);
    others.getOrInsert(plan.name.toLowerCase(), plan);
    others.getOrInsert(`plan_${plan.id}`, plan);
  }
  return (name) => exact.get(name) ?? others.get(name.toLowerCase());
}
