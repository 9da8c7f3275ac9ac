import type { BodyFormat } from '../db/schema.ts';
import { parseId } from '../parse-id.ts';

/**
 * The maximum depth: enough for any site, and within the nesting limits of common JSON parsers (64 in .NET, 100 in Ruby).
 */
export const MAX_DEPTH = 30;

export const bodyFormats: readonly BodyFormat[] = ['markdown_format', 'wysiwyg_format'];

/** Returns the id with the prefix that ids have in the API: `page_12`. */
export function formatPageId(id: number): string {
  return `page_${id}`;
}

/**
 * Parses `page_12` or `12` as 12, and blank or `0` as null, the root. Other texts, which no page has as id, give undefined.
 */
export function parsePageId(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '0') return null;
  return parseId('page', trimmed);
}

export function isBodyFormat(text: string): text is BodyFormat {
  return (bodyFormats as readonly string[]).includes(text);
}
