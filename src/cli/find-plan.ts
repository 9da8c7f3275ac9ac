import { notFound } from '../errors.ts';
import type { PlanRow } from '../plans/plans.ts';
import { planId } from './plan.ts';

/**
 * Returns the plan of that name, or of that id: `plan_3` or `3`.
 * @throws AppError `not_found`
 */
export function findPlan(plans: readonly PlanRow[], text: string): PlanRow {
  const wanted = text.trim();
  const found =
    plans.find(({ name }) => name === wanted) ?? plans.find(({ id }) => planId(id) === wanted || `${id}` === wanted);
  if (!found) throw notFound(`The plan "${wanted}"`);
  return found;
}
