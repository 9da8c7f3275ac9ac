import { notFound } from '../errors.ts';
import type { ListedTemplate } from '../templates/templates.ts';

/** Returns the id of a template as commands print it: `template_3`. */
export function templateId(id: number): string {
  return `template_${id}`;
}

/** Returns the template in the list with the name or id. @throws AppError `not_found` */
export function findTemplate(templates: readonly ListedTemplate[], text: string): ListedTemplate {
  const wanted = text.trim();
  const found =
    templates.find(({ name }) => name === wanted) ??
    templates.find(({ id }) => templateId(id) === wanted || `${id}` === wanted);
  if (!found) throw notFound(`The template "${wanted}"`);
  return found;
}
