import { sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { checkRows, maxRows } from '../db/long-changes.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { isInTrash } from './list-deletions.ts';
import { formatPageId } from './page.ts';
import { splitDeletion } from './split-deletion.ts';

/*
 * Deletes pages in the trash for good: they can no longer be restored. The deletion's date is set to 0, so that
 * `purgeDeletedPages` treats it as older than 30 days and deletes the rows in parts.
 */

/**
 * Deletes a page in the trash for good, with the pages below it that were deleted with it. Returns the number of pages.
 * @throws AppError `not_found` if the page is not in the trash; ChangeTooLong for more pages than this thread should purge
 */
export async function discardDeletedPage(trx: Trx, accountId: number, id: number, by: Actor): Promise<number> {
  await lockAccount(trx, accountId);
  const { undo, pages } = await splitDeletion(trx, accountId, id);
  checkRows(trx, pages);
  const { name } = await trx
    .selectFrom('removed_pages')
    .select('name')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('undos')
    .set({ created_at: 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', undo)
    .execute();
  await recordAuditEvent(trx, accountId, by, {
    action: 'page.discarded',
    subject: formatPageId(id),
    details: { name, pages },
  });
  return pages;
}

/**
 * Deletes the account's deletions for good, up to the one with the undo `upTo`: pages that were deleted since the user looked
 * stay. Returns the number of deletions.
 * @throws ChangeTooLong for more pages than this thread should purge
 */
export async function emptyPageTrash(trx: Trx, accountId: number, upTo: number, by: Actor): Promise<number> {
  await lockAccount(trx, accountId);
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (
      select 1 from removed_pages where account_id = ${accountId} and undo_id <= ${upTo} limit ${maxRows(trx) + 1}
    ) as measured`.execute(trx);
  checkRows(trx, rows[0]!.size);
  const { numUpdatedRows } = await trx
    .updateTable('undos')
    .set({ created_at: 0 })
    .where('account_id', '=', accountId)
    .where('id', '<=', upTo)
    .where(isInTrash)
    .executeTakeFirstOrThrow();
  const deletions = Number(numUpdatedRows);
  if (deletions === 0) return 0;
  const event = { action: 'trash.emptied', subject: `account_${accountId}`, details: { deletions } };
  await recordAuditEvent(trx, accountId, by, event);
  return deletions;
}
