import type { Index } from '../build-index.ts';

/** Lists redirects by their pages, in parts. */
export const indexes: readonly Index[] = [{ name: 'redirects_in_order', on: 'on redirects (account_id, page_id, id)' }];
