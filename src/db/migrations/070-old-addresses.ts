import type { Index } from '../build-index.ts';

/**
 * Adds an index of the accounts with redirects from addresses that no page here can have: those with a query, underscores or
 * other letters.
 */
export const indexes: readonly Index[] = [
  {
    name: 'redirects_old_addresses',
    on: "on redirects ((account_id + 0)) where trim(path, 'abcdefghijklmnopqrstuvwxyz0123456789/.-') <> ''",
  },
];
