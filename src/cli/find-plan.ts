import { notFound } from '../errors.ts';
import type { PlanRow } from '../plans/plans.ts';

/** Returns a plan's id in the form of those of accounts and pages. */
export function planId(id: number): string {
  return `plan_${id}`;
}

/**
 * Returns the plan of the list that has the name or id.
 * @throws AppError `not_found`
 */
export function findPlan(plans: readonly PlanRow[], text: string): PlanRow {
  const wanted = text.trim();
  const found =
    plans.find(({ name }) => name === wanted) ?? plans.find(({ id }) => planId(id) === wanted || `${id}` === wanted);
  if (!found) throw notFound(`The plan "${wanted}"`);
  return found;
}
