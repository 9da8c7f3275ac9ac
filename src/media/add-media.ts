import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import type { MediaKind } from '../db/schema.ts';
import type { AppError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { countBytes, formatMediaId, getMedia, keysOf, type Media } from './media.ts';

export interface AddMediaInput {
  /** The user who owns the image, if the actor is no user of the account. */
  createdBy?: number | undefined;
  /** The most bytes that all of the account's images may take up. */
  quota: number;
  hash: string;
  kind: MediaKind;
  name: string;
  width: number;
  height: number;
  isMoving: boolean;
  folder: string;
  /** The size of each file in bytes, by name. */
  files: Readonly<Record<string, number>>;
}

export interface AddedMedia {
  media: Media;
  /** True if the account did not show the image before. */
  isNew: boolean;
  /** The keys of files to remove from the store once the transaction is committed. */
  surplus: string[];
}

/**
 * Adds an image to the account, from files that are in the store. If the account has an image with the same content already,
 * returns that image, and the new files are surplus. If there is no room, deletes removed images, starting with the one that
 * was removed first.
 * @throws AppError `conflict` if there is not enough room; LimitReached
 */
export async function addMedia(trx: Trx, accountId: number, input: AddMediaInput, by: Actor): Promise<AddedMedia> {
  const files = JSON.stringify(input.files);
  const known = await findOrRestoreMedia(trx, accountId, input.hash, by);
  if (known) return { ...known, surplus: keysOf({ folder: input.folder, files }) };
  const bytes = Object.values(input.files).reduce((sum, size) => sum + size, 0);
  await checkPlanLimit(trx, accountId, 'storage', bytes);
  const surplus = await makeRoom(trx, accountId, bytes, input.quota);
  const { id } = await trx
    .insertInto('media')
    .values({
      account_id: accountId,
      hash: input.hash,
      kind: input.kind,
      width: input.width,
      height: input.height,
      is_moving: input.isMoving ? 1 : 0,
      bytes,
      name: input.name,
      alt: null,
      folder: input.folder,
      files,
      created_at: Date.now(),
      created_by: (input.createdBy ?? by.userId)!,
      removed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { media: await recordUpload(trx, accountId, id, by), isNew: true, surplus };
}

/**
 * Returns the image with this content, and restores it if it was removed; undefined if there is none.
 * @throws LimitReached
 */
export async function findOrRestoreMedia(
  trx: Trx,
  accountId: number,
  hash: string,
  by: Actor,
): Promise<Omit<AddedMedia, 'surplus'> | undefined> {
  await lockAccount(trx, accountId);
  const sameContent = trx.selectFrom('media').where('account_id', '=', accountId).where('hash', '=', hash);
  const known = await sameContent.select(['id', 'removed_at', 'bytes']).executeTakeFirst();
  if (!known) return undefined;
  if (known.removed_at === null) return { media: await getMedia(trx, accountId, known.id), isNew: false };
  await checkPlanLimit(trx, accountId, 'storage', known.bytes);
  await clearRemoved(trx, accountId, known.id);
  return { media: await recordUpload(trx, accountId, known.id, by), isNew: true };
}

async function recordUpload(trx: Trx, accountId: number, id: number, by: Actor): Promise<Media> {
  await recordAuditEvent(trx, accountId, by, { action: 'media.uploaded', subject: formatMediaId(id) });
  return getMedia(trx, accountId, id);
}

async function clearRemoved(trx: Trx, accountId: number, id: number): Promise<void> {
  await trx
    .updateTable('media')
    .set({ removed_at: null, removed_by: null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export function noRoom(quota: number): AppError {
  return new Refusal('conflict', { reason: 'no_room_for_images', params: { bytes: quota } });
}

async function makeRoom(trx: Trx, accountId: number, bytes: number, quota: number): Promise<string[]> {
  const { all, shown } = await countBytes(trx, accountId);
  if (shown + bytes > quota) throw noRoom(quota);
  const surplus: string[] = [];
  for (let usedBytes = all; usedBytes + bytes > quota; ) {
    const oldest = await trx
      .selectFrom('media')
      .select(['id', 'bytes', 'folder', 'files'])
      .where('account_id', '=', accountId)
      .where('removed_at', 'is not', null)
      .orderBy('removed_at')
      .limit(1)
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('media').where('account_id', '=', accountId).where('id', '=', oldest.id).execute();
    surplus.push(...keysOf(oldest));
    usedBytes -= oldest.bytes;
  }
  return surplus;
}
