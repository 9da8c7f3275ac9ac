import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { type PageChange, updatePage } from './update-page.ts';

/**
 * Hides a page from visitors: it has no address and is in no menu until it is published again. Its contents and drafts
 * stay. Pages below it keep their addresses, but leave the menus with it.
 * @throws AppError `not_found`
 */
export function unpublishPage(trx: Trx, accountId: number, id: number, by: UserActor): Promise<PageChange> {
  const change = { id, basedOn: undefined, fields: {}, status: 'unpublished', quota: 0 } as const;
  const event = { action: 'page.unpublished', details: {} };
  return updatePage(trx, accountId, { ...change, event }, by);
}
