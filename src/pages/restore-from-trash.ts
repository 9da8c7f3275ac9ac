import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { formatPageId } from './page.ts';
import { type RestoredPages, restoreDeletedPages } from './restore-deleted-pages.ts';
import { splitDeletion } from './split-deletion.ts';
import { takeUndo } from './undos.ts';

/**
 * Restores a deleted page with the pages below it that were deleted with it. Pages above it stay in the trash. Needs no
 * additional storage: pages in the trash count towards the account's quota.
 * @throws AppError `not_found` if the page is not in the trash; ChangeTooLong, LimitReached
 */
export async function restoreFromTrash(
  trx: Trx,
  accountId: number,
  id: number,
  by: Actor,
): Promise<RestoredPages & { pages: number }> {
  await raiseContentVersion(trx, accountId, Date.now());
  const { undo, pages } = await splitDeletion(trx, accountId, id);
  await takeUndo(trx, accountId, undo);
  const restored = await restoreDeletedPages(trx, accountId, { undo, pageId: id });
  const details = { change: 'delete', pages };
  await recordAuditEvent(trx, accountId, by, { action: 'page.undone', subject: formatPageId(id), details });
  return { ...restored, pages };
}
