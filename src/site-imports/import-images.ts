import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { type FetchSettings, fetchFile } from '../media/fetch-file.ts';
import { fileName } from '../media/file-name.ts';
import type { ImageMaker } from '../media/image-maker.ts';
import type { MediaStore } from '../media/store.ts';
import { type Uploaded, uploadImage } from '../media/upload-image.ts';

interface ImageDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly maker: ImageMaker;
  /** Bytes that all of the account's images may take up. */
  readonly quota: number;
  readonly fetch: FetchSettings;
}

/** How many images are fetched at once: the old site should not notice. */
const MAX_CONCURRENT = 4;

/**
 * Fetches the images of an old site and adds them to the account's. Returns the new address of each, or the error why it has none;
 * images that the account has already are not stored again.
 */
export function importImages(
  { db, store, maker, quota, fetch }: ImageDependencies,
  accountId: number,
  addresses: readonly string[],
  { createdBy, by, report }: { createdBy: number; by: Actor; report: (done: number) => void },
): Promise<(string | AppError)[]> {
  const semaphore = new FairSemaphore(MAX_CONCURRENT);
  let done = 0;
  const add = async (address: string): Promise<string | AppError> => {
    try {
      const { source, name } = await fetchFile(address, fetch);
      const input = {
        source,
        name: fileName(name),
        createdBy,
        commit: (work: (trx: Trx) => Promise<Uploaded | undefined>) => db.transaction().execute(work),
      };
      const { media } = await uploadImage({ db, store, maker, quota, limit: fetch.limit }, accountId, input, by);
      return media.src;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    } finally {
      done += 1;
      report(done);
    }
  };
  return Promise.all(addresses.map((address) => semaphore.run(() => add(address))));
}
