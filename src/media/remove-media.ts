import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { formatMediaId, getMedia, type Media, REMOVED_RETENTION_MS } from './media.ts';

/**
 * Removes an image from the site at once. It can be restored for 30 days, unless its space is needed earlier.
 * @throws AppError `not_found`
 */
export async function removeMedia(trx: Trx, accountId: number, id: number, by: Actor): Promise<Media> {
  const now = Date.now();
  // Lists of pages on the site show images.
  await raiseContentVersion(trx, accountId, now);
  const media = await getMedia(trx, accountId, id);
  await setRemoved(trx, accountId, id, { at: now, by: by.userId });
  await recordAuditEvent(trx, accountId, by, { action: 'media.deleted', subject: formatMediaId(id) });
  return media;
}

/**
 * Restores a removed image.
 * @throws AppError `conflict` when it is too late, `not_found`; LimitReached
 */
export async function restoreMedia(trx: Trx, accountId: number, id: number, by: Actor): Promise<Media> {
  await lockAccount(trx, accountId);
  const row = await trx
    .selectFrom('media')
    .select(['removed_at', 'bytes'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row && row.removed_at !== null) {
    if (row.removed_at <= Date.now() - REMOVED_RETENTION_MS) {
      throw new Refusal('conflict', { reason: 'image_removed_too_long_ago' });
    }
    await checkPlanLimit(trx, accountId, 'storage', row.bytes);
    await raiseContentVersion(trx, accountId, Date.now());
    await setRemoved(trx, accountId, id, { at: null, by: null });
    await recordAuditEvent(trx, accountId, by, { action: 'media.restored', subject: formatMediaId(id) });
  }
  return getMedia(trx, accountId, id);
}

async function setRemoved(
  trx: Trx,
  accountId: number,
  id: number,
  { at, by }: { at: number | null; by: number | null },
): Promise<void> {
  await trx
    .updateTable('media')
    .set({ removed_at: at, removed_by: by })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
