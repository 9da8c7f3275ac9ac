import type { Index } from '../build-index.ts';

/** Adds an index that lists redirects by their pages, in batches. */
export const indexes: readonly Index[] = [{ name: 'redirects_in_order', on: 'on redirects (account_id, page_id, id)' }];
