import { notFound } from '../errors.ts';
import type { PlanRow } from '../plans/plans.ts';
import type { ListedTemplate } from '../templates/templates.ts';

/** Returns the id of a plan as commands print it: `plan_3`. */
export function formatPlanId(id: number): string {
  return `plan_${id}`;
}

/** Returns the id of a template as commands print it: `template_3`. */
export function formatTemplateId(id: number): string {
  return `template_${id}`;
}

/** Returns the plan in the list with the name or id. @throws AppError `not_found` */
export function findPlan(plans: readonly PlanRow[], text: string): PlanRow {
  return findByName('plan', plans, text);
}

/** Returns the template in the list with the name or id. @throws AppError `not_found` */
export function findTemplate(templates: readonly ListedTemplate[], text: string): ListedTemplate {
  return findByName('template', templates, text);
}

function findByName<T extends { id: number; name: string }>(kind: string, all: readonly T[], text: string): T {
  const wanted = text.trim();
  const found =
    all.find(({ name }) => name === wanted) ?? all.find(({ id }) => `${kind}_${id}` === wanted || `${id}` === wanted);
  if (!found) throw notFound(`The ${kind} "${wanted}"`);
  return found;
}
