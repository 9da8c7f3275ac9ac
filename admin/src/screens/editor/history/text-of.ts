import type { PageFieldsJson } from '../../../contract.ts';
import { strings } from '../../../strings.ts';

/** Returns the text of a page for comparing, with its name and excerpt. */
export function textOf({ name, description, body }: Pick<PageFieldsJson, 'name' | 'description' | 'body'>): string {
  const excerpt = description ? [`${strings.fields.description}: ${description}`] : [];
  return [name, ...excerpt, body].join('\n\n');
}
