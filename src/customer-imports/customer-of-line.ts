import type { AccountValues } from '../accounts/create-account.ts';
import type { FieldError } from '../field-error.ts';
import type { PlanRow } from '../plans/plans.ts';
import type { ImportColumns, ImportField } from './columns.ts';

/** A customer as a line describes it. An empty plan or language is none. */
export interface ImportedCustomer extends AccountValues {
  planId: number | undefined;
  language: string | undefined;
}

/** Returns the customer that a line describes, and what is wrong with its plan. `plans` are the seller's. */
export function customerOfLine(
  cells: readonly string[],
  columns: ImportColumns,
  plans: readonly PlanRow[],
): { customer: ImportedCustomer; failures: FieldError[] } {
  const textOf = (field: ImportField) => cells[columns[field] ?? -1] ?? '';
  const planName = textOf('plan').trim();
  const plan = findNamedPlan(plans, planName);
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

/** Case matters only if two names differ in nothing else. */
function findNamedPlan(plans: readonly PlanRow[], name: string): PlanRow | undefined {
  const same = (text: string) => text.toLowerCase() === name.toLowerCase();
  return (
    plans.find((plan) => plan.name === name) ?? plans.find((plan) => same(plan.name) || `plan_${plan.id}` === name)
  );
}
