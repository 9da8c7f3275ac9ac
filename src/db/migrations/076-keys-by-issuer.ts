import type { Index } from '../build-index.ts';

/** Adds an index that finds the keys that a key has issued. */
export const indexes: readonly Index[] = [
  { name: 'api_keys_issued_by', on: 'on api_keys (issued_by) where issued_by is not null' },
];
