import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import type { MediaTable } from '../db/schema.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { noRoom } from './add-media.ts';
import { countBytes, keysOf } from './media.ts';
import type { MediaStore } from './store.ts';

/** An image that is copied to another account. */
export type ImageToCopy = Pick<
  Selectable<MediaTable>,
  'hash' | 'kind' | 'width' | 'height' | 'is_moving' | 'bytes' | 'name' | 'alt' | 'folder' | 'files'
>;

const columns = [
  ...(['hash', 'kind', 'width', 'height', 'is_moving', 'bytes', 'name', 'alt', 'folder', 'files'] as const),
];

/** Returns the account's images with these hashes, except removed ones. */
export function listImagesToCopy(db: Db | Trx, accountId: number, hashes: readonly string[]): Promise<ImageToCopy[]> {
  const images = hashes.map((hash) => ({ hash }));
  return findByHashes(db, accountId, images).select(columns).where('removed_at', 'is', null).orderBy('hash').execute();
}

/** Counts the bytes of the images that the account's pages show, including deleted pages. */
export async function countImageBytesToCopy(db: Db | Trx, accountId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('media')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .where('hash', 'in', (e) =>
      e.selectFrom('page_images').select('hash').where('account_id', '=', accountId).where('draft_by', '=', 0),
    )
    .executeTakeFirstOrThrow();
  return bytes;
}

/**
 * Copies the files of images into folders of the account `to`, and calls `commit` with the copies to add them to that
 * account in its transaction (`insertImageCopies`). Afterwards removes the files that belong to no image.
 */
export function copyImages<T>(
  stores: { db: Db; store: MediaStore },
  to: number,
  images: readonly ImageToCopy[],
  commit: (copies: readonly ImageToCopy[]) => Promise<T>,
): Promise<T> {
  const copy = (copies: readonly ImageToCopy[]) =>
    stores.store.copy(
      images.flatMap((image, index) => {
        const keys = keysOf(copies[index]!);
        return keysOf(image).map((from, position) => ({ from, to: keys[position]! }));
      }),
    );
  return storeImages(stores, to, images, copy, commit);
}

/**
 * Assigns each image a folder of the account `to`, stores its files there with `put`, and calls `commit` to add the images
 * to that account in its transaction. Afterwards removes the files that belong to no image.
 */
export async function storeImages<T, I extends Pick<ImageToCopy, 'hash' | 'files'>>(
  { db, store }: { db: Db; store: MediaStore },
  to: number,
  images: readonly I[],
  put: (images: ReadonlyArray<I & { folder: string }>) => Promise<void>,
  commit: (images: ReadonlyArray<I & { folder: string }>) => Promise<T>,
): Promise<T> {
  if (images.length === 0) return commit([]);
  // A folder is used only once, as with an upload.
  const stored = images.map((image) => ({
    ...image,
    folder: `${to}/${image.hash}-${randomBytes(6).toString('hex')}`,
  }));
  try {
    await put(stored);
    return await commit(stored);
  } finally {
    // A surplus file does no harm, and `doctor` finds it.
    await removeUnused(db, store, to, stored).catch(() => {});
  }
}

/**
 * Removes the files of images that have no row. It queries the rows because a commit may have succeeded although its
 * response was lost.
 */
async function removeUnused(
  db: Db,
  store: MediaStore,
  to: number,
  copies: ReadonlyArray<Pick<ImageToCopy, 'hash' | 'folder' | 'files'>>,
): Promise<void> {
  const rows = await findByHashes(db, to, copies).select('folder').execute();
  const used = new Set(rows.map(({ folder }) => folder));
  const unused = copies.filter(({ folder }) => !used.has(folder));
  if (unused.length > 0) await store.remove(unused.flatMap(keysOf));
}

function findByHashes(db: Db | Trx, accountId: number, images: readonly { hash: string }[]) {
  const hashes = JSON.stringify(images.map(({ hash }) => hash));
  return db
    .selectFrom('media')
    .where('account_id', '=', accountId)
    .where(inJsonList(db as Db, 'hash', sql.val(hashes)));
}

/** Returns the images that the account does not have or has removed. */
export async function listMissingImages(
  db: Db | Trx,
  accountId: number,
  images: readonly ImageToCopy[],
): Promise<ImageToCopy[]> {
  if (images.length === 0) return [];
  const rows = await findByHashes(db, accountId, images).select('hash').where('removed_at', 'is', null).execute();
  const known = new Set(rows.map(({ hash }) => hash));
  return images.filter(({ hash }) => !known.has(hash));
}

/** The number of rows that one statement inserts: each row has some 15 values, and a statement allows 32,000. */
const BATCH_SIZE = 500;

/**
 * Adds copied images to the account, which the caller has locked. Existing images stay unchanged, and those in the trash are
 * restored.
 * @throws AppError `conflict` if there is no room; LimitReached
 */
export async function insertImageCopies(
  trx: Trx,
  accountId: number,
  copies: readonly ImageToCopy[],
  { userId, quota }: { userId: number; quota: number },
): Promise<void> {
  const missing = await listMissingImages(trx, accountId, copies);
  if (missing.length === 0) return;
  const bytes = missing.reduce((sum, copy) => sum + copy.bytes, 0);
  await checkPlanLimit(trx, accountId, 'storage', bytes);
  if ((await countBytes(trx, accountId)).shown + bytes > quota) throw noRoom(quota);
  const removed = await findByHashes(trx, accountId, missing).select(['id', 'hash']).execute();
  for (const { id } of removed) {
    const image = trx.updateTable('media').where('account_id', '=', accountId).where('id', '=', id);
    await image.set({ removed_at: null, removed_by: null }).execute();
  }
  const restored = new Set(removed.map(({ hash }) => hash));
  const added = missing.filter(({ hash }) => !restored.has(hash));
  const rest = { account_id: accountId, created_at: Date.now(), created_by: userId, removed_at: null };
  for (let start = 0; start < added.length; start += BATCH_SIZE) {
    const part = added.slice(start, start + BATCH_SIZE);
    await trx
      .insertInto('media')
      .values(part.map((copy) => ({ ...copy, ...rest })))
      .execute();
  }
}
