import { sql } from 'kysely';

/** Selects pages that menus, lists, sitemap and feed show. Written out, as the index `pages_visible` has it. */
export const isVisible = sql<boolean>`is_hidden = 0 and status = 'published'`;

/** Whether the API lists a page as hidden. It lists default pages as they were created. */
export const isListedAsHidden = sql<0 | 1>`case when is_hidden = 1 or status = 'unpublished' then 1 else 0 end`;
