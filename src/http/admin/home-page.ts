import type { Trx } from '../../db/database.ts';
import { findHomePage } from '../../sites/navigation.ts';
import type { HomeChangeJson } from './contract.ts';
import type { SignedInRequest } from './route.ts';

/** Makes a change that may give the site another home page. If it does, the result has the new home page's name. */
export function changeReportingHomePage<T extends object>(
  { sessionOwner: { accountId }, change }: SignedInRequest,
  work: (trx: Trx) => Promise<T>,
): Promise<T & HomeChangeJson> {
  return change(async (trx) => {
    const before = await findHomePage(trx, accountId);
    const done = await work(trx);
    const now = await findHomePage(trx, accountId);
    return { ...done, ...(now?.id !== before?.id && { home: now?.name ?? null }) };
  });
}
