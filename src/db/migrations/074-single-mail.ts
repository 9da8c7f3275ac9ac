import type { Index } from '../build-index.ts';

/** Adds an index of the queued messages that are sent before those of bulk work. */
export const indexes: readonly Index[] = [
  { name: 'outbox_due_single', on: "on outbox (due_at) where status = 'queued' and is_bulk = 0" },
];
