import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { type AppError, ValidationError } from '../errors.ts';
import type { FetchSettings } from '../media/fetch-file.ts';
import { ImageMaker } from '../media/image-maker.ts';
import type { MediaStore } from '../media/store.ts';
import { importImages } from './import-images.ts';
import { type ImportedSite, importSite } from './import-site.ts';
import type { SiteToImport } from './site-to-import.ts';

interface SiteDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  /** Bytes that all of an account's pages may take up, and all of its images. */
  readonly pageQuota: number;
  readonly mediaQuota: number;
  /** Where images may be fetched from, and how large one may be. */
  readonly fetch: FetchSettings;
}

interface SiteImporter {
  readonly userId: number;
  /** Runs a transaction after it has checked the caller, if there is one to check. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
  /** Told how many images are done. */
  readonly report?: (done: number) => void;
  /** When no more images are fetched, by `Date.now()`. */
  readonly until?: number;
}

interface PrepareSiteInput {
  readonly site: SiteToImport;
  /** Whether its images are copied. */
  readonly images: boolean;
  /** Checks everything, and changes nothing. */
  readonly isDryRun: boolean;
}

/** An image that stays at the old site, and why. */
interface FailedImage {
  readonly address: string;
  readonly error: AppError;
}

/** The results of the import of a site. */
export interface SiteReport extends ImportedSite {
  readonly unpublished: number;
  /** How many of its pages are posts of its blog. */
  readonly posts: number;
  /** How many images were copied, and how many stay at the old site. */
  readonly imagesCopied: number;
  readonly imagesLeft: number;
  readonly failedImages: readonly FailedImage[];
  readonly notes: SiteToImport['notes'];
}

/**
 * Checks whether the pages of another system's site can be created, and copies its images. Returns what then creates the pages, in a
 * transaction that has checked the caller, or in a dry run changes nothing.
 * @throws ValidationError with every broken rule by the name of the page that breaks it
 */
export async function prepareSite(
  { pageQuota: quota, ...dependencies }: SiteDependencies,
  accountId: number,
  { site, images, isDryRun }: PrepareSiteInput,
  importer: SiteImporter,
): Promise<(trx: Trx, by: Actor) => Promise<SiteReport>> {
  const { userId, commit } = importer;
  const make = (imageUrls: readonly (string | undefined)[], isCheck: boolean) => (trx: Trx, by: Actor) =>
    importSite(trx, accountId, { site, imageUrls, quota, isDryRun: isCheck }, { userId, by }).catch((error) => {
      throw error instanceof ValidationError ? namedErrors(error, site) : error;
    });
  // Before the images: they take long, and are of no use without the pages.
  const checked = await commit(make([], true));
  const copied = images && !isDryRun ? await copyImages(dependencies, accountId, site.images, importer) : [];
  const imageUrls = copied.map((image) => (typeof image === 'string' ? image : undefined));
  const failedImages = copied.flatMap((error, index) =>
    typeof error === 'string' ? [] : [{ address: site.images[index]!, error }],
  );
  const imagesCopied = copied.length - failedImages.length;
  const facts = {
    posts: site.postCount,
    unpublished: site.pages.filter(({ status }) => status === 'unpublished').length,
    notes: site.notes,
    ...{ imagesCopied, imagesLeft: site.images.length - imagesCopied, failedImages },
  };
  return async (trx, by) => ({ ...facts, ...(isDryRun ? checked : await make(imageUrls, false)(trx, by)) });
}

async function copyImages(
  { db, store, mediaQuota: quota, fetch }: Omit<SiteDependencies, 'pageQuota'>,
  accountId: number,
  addresses: readonly string[],
  { userId, commit, report = () => {}, until }: SiteImporter,
) {
  if (addresses.length === 0) return [];
  const maker = new ImageMaker();
  try {
    const importer = { userId, commit, report, until };
    return await importImages({ db, store, maker, quota, fetch }, accountId, addresses, importer);
  } finally {
    maker.close();
  }
}

/** The name is better known than the place. */
function namedErrors({ fields }: ValidationError, { pages }: SiteToImport): ValidationError {
  return new ValidationError(
    fields.map((failure) => ({
      ...failure,
      field: failure.field.replace(/^pages\[(\d+)\]/, (_, index) => `"${pages[Number(index)]!.name}"`),
    })),
  );
}
