import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { checkRows } from '../db/long-changes.ts';
import { notFound } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { formatMediaId } from './media.ts';

/*
 * Deletes images in the trash for good, by setting `removed_at` to 0. They can no longer be restored: `purgeRemovedMedia`
 * treats them as older than 30 days, and deletes their rows and files within the hour.
 */

/**
 * Deletes an image in the trash for good.
 * @throws AppError `not_found`
 */
export async function discardMedia(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  const discarded = await trx
    .updateTable('media')
    .set({ removed_at: 0 })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', '>', 0)
    .returning('name')
    .executeTakeFirst();
  if (!discarded) throw notFound('The image in the trash');
  const { name } = discarded;
  await recordAuditEvent(trx, accountId, by, {
    action: 'media.discarded',
    subject: formatMediaId(id),
    details: { name },
  });
}

/**
 * Deletes the images that were removed until `upTo`, in milliseconds since 1970, for good. Images removed after the user
 * opened the list stay. Returns how many were deleted.
 * @throws ChangeTooLong
 */
export async function emptyMediaTrash(trx: Trx, accountId: number, upTo: number, by: Actor): Promise<number> {
  await lockAccount(trx, accountId);
  const { images } = await trx
    .selectFrom('media')
    .select((e) => e.fn.countAll<number>().as('images'))
    .where('account_id', '=', accountId)
    .where('removed_at', '>', 0)
    .where('removed_at', '<=', upTo)
    .executeTakeFirstOrThrow();
  checkRows(trx, images);
  if (images === 0) return 0;
  await trx
    .updateTable('media')
    .set({ removed_at: 0 })
    .where('account_id', '=', accountId)
    .where('removed_at', '>', 0)
    .where('removed_at', '<=', upTo)
    .execute();
  const event = { action: 'trash.emptied', subject: `account_${accountId}`, details: { images } };
  await recordAuditEvent(trx, accountId, by, event);
  return images;
}
