import { notFound } from '../errors.ts';
import type { PlanRow } from '../plans/plans.ts';

/** Returns the id of a plan as commands print it: `plan_3`. */
export function planId(id: number): string {
  return `plan_${id}`;
}

/**
 * Returns the plan in the list with the name or id.
 * @throws AppError `not_found`
 */
export function findPlan(plans: readonly PlanRow[], text: string): PlanRow {
  const wanted = text.trim();
  const found =
    plans.find(({ name }) => name === wanted) ?? plans.find(({ id }) => planId(id) === wanted || `${id}` === wanted);
  if (!found) throw notFound(`The plan "${wanted}"`);
  return found;
}
