import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { type AddedMedia, type AddMediaInput, addMedia, bringBack, noRoom } from './add-media.ts';
import type { ImageMaker } from './image-maker.ts';
import { kindOf } from './kind-of.ts';
import { countBytes } from './media.ts';
import { receiveUpload } from './receive-upload.ts';
import type { MediaStore } from './store.ts';

interface UploadDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly maker: ImageMaker;
  /** Bytes that all of an account's images may take up. */
  readonly quota: number;
  /** Bytes that an upload may have. */
  readonly limit: number;
}

interface UploadInput {
  source: Readable;
  /** The user whose image it is, if the one who acts is none of the account. */
  createdBy?: number | undefined;
  /** The name of the file. */
  name: string;
  /** Does the work in one transaction; undefined where it says that there is nothing to be done. */
  commit: (work: (trx: Trx) => Promise<Uploaded | undefined>) => Promise<Uploaded | undefined>;
}

export type Uploaded = Pick<AddedMedia, 'media' | 'isNew'>;

/**
 * Stores an uploaded image: receives the file, determines its kind by its content, makes the variants and puts them
 * into the store; then one transaction adds the image to the account. The upload itself is not kept. Until the
 * transaction nothing refers to the files, and a crash leaves unused files, which `doctor` reports.
 * @throws AppError `invalid` for what is no image to be shown, `too_large`, `conflict` where there is no room, LimitReached;
 * what the maker throws
 */
export async function uploadImage(
  dependencies: UploadDependencies,
  accountId: number,
  { source, name, createdBy, commit }: UploadInput,
  by: Actor,
): Promise<Uploaded> {
  const { db, maker, quota, limit } = dependencies;
  await using upload = await receiveUpload(source, { limit, holder: await maker.findHolder(accountId) });
  const { hash, path, folder: workplace } = upload;
  const kind = kindOf(upload.head);
  const known =
    (await isKnown(db, accountId, { hash })) && (await commit((trx) => bringBack(trx, accountId, hash, by)));
  if (known) return known;
  // Checked before all the work; the transaction checks again.
  if ((await countBytes(db, accountId)).shown >= quota) throw noRoom(quota);
  await checkPlanLimit(db, accountId, 'storage');
  const made = await maker.make(accountId, { path, kind, hash, folder: workplace });
  // The folder is used only once, so neither another attempt nor a late removal can touch these files.
  const folder = `${accountId}/${hash}-${randomBytes(6).toString('hex')}`;
  const input = { quota, createdBy, kind, name, hash, folder, ...made };
  // Awaited: the upload's folder goes with the end of this function.
  return await keep(dependencies, accountId, { workplace, input, commit }, by);
}

async function keep(
  { db, store }: UploadDependencies,
  accountId: number,
  { workplace, input, commit }: { workplace: string; input: AddMediaInput; commit: UploadInput['commit'] },
  by: Actor,
): Promise<Uploaded> {
  const { folder, files } = input;
  let surplus: string[] = [];
  try {
    for (const file of Object.keys(files)) await store.put(`${folder}/${file}`, await readFile(join(workplace, file)));
    const done = await commit(async (trx) => {
      const added = await addMedia(trx, accountId, input, by);
      surplus = added.surplus;
      return added;
    });
    return done!;
  } catch (error) {
    // A commit may have succeeded though its answer was lost: files that a row names must stay.
    const isNeeded = await isKnown(db, accountId, { folder }).catch(() => true);
    surplus = isNeeded ? [] : Object.keys(files).map((file) => `${folder}/${file}`);
    throw error;
  } finally {
    // A file too many does no harm, and `doctor` finds it.
    await store.remove(surplus).catch(() => {});
  }
}

async function isKnown(db: Db, accountId: number, by: { hash: string } | { folder: string }): Promise<boolean> {
  const ofAccount = db.selectFrom('media').select('id').where('account_id', '=', accountId);
  const query = 'hash' in by ? ofAccount.where('hash', '=', by.hash) : ofAccount.where('folder', '=', by.folder);
  return (await query.executeTakeFirst()) !== undefined;
}
