import type { PageFieldsJson } from '../../../contract.ts';
import { strings } from '../../../strings.ts';

/** What is compared of a page: its text, with the name and the excerpt, which may be what differs. */
export function textOf({ name, description, body }: Pick<PageFieldsJson, 'name' | 'description' | 'body'>): string {
  const excerpt = description ? [`${strings.fields.description}: ${description}`] : [];
  return [name, ...excerpt, body].join('\n\n');
}
