import type { Trx } from '../../db/database.ts';
import { findHomePage } from '../../sites/navigation.ts';
import type { HomeChangeJson } from './contract.ts';

/** Runs a change that may give the site another home page, and adds the new home page to its result if so. */
export async function recordHomePageChange<T extends object>(
  trx: Trx,
  accountId: number,
  change: () => Promise<T>,
): Promise<T & HomeChangeJson> {
  const before = await findHomePage(trx, accountId);
  const done = await change();
  const now = await findHomePage(trx, accountId);
  return { ...done, ...(now?.id !== before?.id && { home: now?.name ?? null }) };
}
