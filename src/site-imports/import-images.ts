import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { type FetchSettings, fetchFile } from '../media/fetch-file.ts';
import { fileName } from '../media/file-name.ts';
import type { ImageMaker } from '../media/image-maker.ts';
import type { MediaStore } from '../media/store.ts';
import { type Uploaded, uploadImage } from '../media/upload-image.ts';

interface ImageDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly maker: ImageMaker;
  /** The most bytes that the account's images may take up together. */
  readonly quota: number;
  readonly fetch: FetchSettings;
}

interface ImageImporter {
  readonly userId: number;
  /** Runs a transaction after checking the caller, if there is one to check. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
  /** Called with the number of images that are done. */
  readonly report: (done: number) => void;
  /** The time, as from `Date.now()`, from which on no more images are fetched; undefined for never. */
  readonly until: number | undefined;
}

/** How many images are fetched at once: few enough that the old site does not notice. */
const MAX_CONCURRENT = 4;

/**
 * Fetches the images of an old site and adds them to the account. Returns the new address of each image, or the error that
 * prevented it. Images that the account already has are not stored again.
 */
export async function importImages(
  { db, store, maker, quota, fetch }: ImageDependencies,
  accountId: number,
  addresses: readonly string[],
  { userId: createdBy, commit, report, until = Number.POSITIVE_INFINITY }: ImageImporter,
): Promise<(string | AppError)[]> {
  const actor = await commit(async (_, by) => by);
  let done = 0;
  let isRefused = false;
  const add = async (address: string): Promise<string | AppError> => {
    try {
      if (isRefused || Date.now() >= until)
        throw new AppError('invalid', 'The time limit for fetching images has been reached.');
      const { source, name } = await fetchFile(address, fetch);
      const input = {
        source,
        name: fileName(name),
        createdBy,
        commit: (work: (trx: Trx) => Promise<Uploaded | undefined>) => commit(work),
      };
      const { media } = await uploadImage({ db, store, maker, quota, limit: fetch.limit }, accountId, input, actor);
      return media.src;
    } catch (error) {
      // A caller who has lost the permission gets this error instead of a report.
      if (error instanceof AppError && !isAboutCaller(error)) return error;
      isRefused = true;
      throw error;
    } finally {
      done += 1;
      report(done);
    }
  };
  const results: (string | AppError)[] = [];
  const queue = addresses.entries();
  const addOthers = async () => {
    for (const [index, address] of queue) results[index] = await add(address);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, addOthers));
  return results;
}

function isAboutCaller({ code }: AppError): boolean {
  return code === 'unauthorized' || code === 'suspended' || code === 'forbidden';
}
