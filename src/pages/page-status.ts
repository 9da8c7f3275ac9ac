import { sql } from 'kysely';

/** Selects the pages that menus, lists, sitemap and feed show. Uses the exact expression of the index `pages_visible`. */
export const isVisible = sql<boolean>`is_hidden = 0 and status = 'published'`;

/** SQL for whether the API lists a page as hidden. Default pages keep the value with which they were created. */
export const isListedAsHidden = sql<0 | 1>`case when is_hidden = 1 or status = 'unpublished' then 1 else 0 end`;
