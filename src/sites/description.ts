import { sql } from 'kysely';
import { firstSentences } from './first-sentences.ts';

/** How much of a description sites show: it may be as long as a request. */
const MAX_CHARACTERS = 1000;

/** Selects the description of `pages` no further than it takes to show it. */
export const shownDescription = sql<string | null>`substr(pages.description, 1, ${sql.lit(MAX_CHARACTERS + 1)})`;

/** Returns a description, or its beginning if it is longer than sites show. */
export function cutDescription(description: string | null): string {
  if (description === null) return '';
  return description.length > MAX_CHARACTERS ? firstSentences(description, MAX_CHARACTERS) : description;
}
