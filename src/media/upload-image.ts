import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { type AddedMedia, type AddMediaInput, addMedia, findOrRestoreMedia, noRoom } from './add-media.ts';
import type { ImageMaker } from './image-maker.ts';
import { kindOf } from './kind-of.ts';
import { countBytes } from './media.ts';
import { receiveUpload } from './receive-upload.ts';
import type { MediaStore } from './store.ts';

interface UploadDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly maker: ImageMaker;
  /** The most bytes that all of an account's images may take up. */
  readonly quota: number;
  /** The largest upload in bytes. */
  readonly limit: number;
}

interface UploadInput {
  source: Readable;
  /** The user who owns the image, if the actor is no user of the account. */
  createdBy?: number | undefined;
  /** The file's name. */
  name: string;
  /** Runs the work in one transaction. Returns undefined if the work does. */
  commit: (work: (trx: Trx) => Promise<Uploaded | undefined>) => Promise<Uploaded | undefined>;
}

export type Uploaded = Pick<AddedMedia, 'media' | 'isNew'>;

/**
 * Stores an uploaded image: receives the file, determines its kind by its content, makes the variants and puts them into the
 * store. Then one transaction adds the image to the account. The uploaded file itself is not stored. Nothing refers to the
 * variants before the transaction: a crash leaves unused files, which `doctor` reports.
 * @throws AppError `invalid` for a file that is no image for the web, `too_large`, `conflict` if there is no room;
 * LimitReached; the errors of the maker
 */
export async function uploadImage(
  dependencies: UploadDependencies,
  accountId: number,
  { source, name, createdBy, commit }: UploadInput,
  by: Actor,
): Promise<Uploaded> {
  const { db, maker, quota, limit } = dependencies;
  await using upload = await receiveUpload(source, { limit, holder: await maker.findHolder(accountId) });
  const { hash, path, folder: workFolder } = upload;
  const kind = kindOf(upload.head);
  const known =
    (await isKnown(db, accountId, { hash })) && (await commit((trx) => findOrRestoreMedia(trx, accountId, hash, by)));
  if (known) return known;
  // Checked before all the work; the transaction checks again.
  if ((await countBytes(db, accountId)).shown >= quota) throw noRoom(quota);
  await checkPlanLimit(db, accountId, 'storage');
  const made = await maker.make(accountId, { path, kind, hash, folder: workFolder });
  // The folder is used only once, so neither another attempt nor a late removal can touch these files.
  const folder = `${accountId}/${hash}-${randomBytes(6).toString('hex')}`;
  const input = { quota, createdBy, kind, name, hash, folder, ...made };
  // Awaited, because the upload's folder is deleted when this function returns.
  return await storeVariants(dependencies, accountId, { workFolder, input, commit }, by);
}

async function storeVariants(
  { db, store }: UploadDependencies,
  accountId: number,
  { workFolder, input, commit }: { workFolder: string; input: AddMediaInput; commit: UploadInput['commit'] },
  by: Actor,
): Promise<Uploaded> {
  const { folder, files } = input;
  let surplus: string[] = [];
  try {
    for (const file of Object.keys(files)) await store.put(`${folder}/${file}`, await readFile(join(workFolder, file)));
    const done = await commit(async (trx) => {
      const added = await addMedia(trx, accountId, input, by);
      surplus = added.surplus;
      return added;
    });
    return done!;
  } catch (error) {
    // A commit may have succeeded although its response was lost: files that a row names must stay.
    const isNeeded = await isKnown(db, accountId, { folder }).catch(() => true);
    surplus = isNeeded ? [] : Object.keys(files).map((file) => `${folder}/${file}`);
    throw error;
  } finally {
    // A surplus file does no harm, and `doctor` finds it.
    await store.remove(surplus).catch(() => {});
  }
}

async function isKnown(db: Db, accountId: number, by: { hash: string } | { folder: string }): Promise<boolean> {
  const ofAccount = db.selectFrom('media').select('id').where('account_id', '=', accountId);
  const query = 'hash' in by ? ofAccount.where('hash', '=', by.hash) : ofAccount.where('folder', '=', by.folder);
  return (await query.executeTakeFirst()) !== undefined;
}
