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
  /** The most bytes that all pages, and all images, of an account may take up. */
  readonly pageQuota: number;
  readonly mediaQuota: number;
  /** The servers from which images may be fetched, and the largest size of an image. */
  readonly fetch: FetchSettings;
}

interface SiteImporter {
  readonly userId: number;
  /** Runs a transaction after checking the caller, if there is one to check. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
  /** Called with the number of images that are done. */
  readonly report?: (done: number) => void;
  /** The time, as from `Date.now()`, from which on no more images are fetched. */
  readonly until?: number;
}

interface PrepareSiteInput {
  readonly site: SiteToImport;
  /** True to copy the site's images. */
  readonly images: boolean;
  /** True to check everything and change nothing. */
  readonly isDryRun: boolean;
}

/** An image that was not copied, and the reason. */
interface FailedImage {
  readonly address: string;
  readonly error: AppError;
}

/** The results of the import of a site. */
export interface SiteReport extends ImportedSite {
  readonly unpublished: number;
  /** How many of the pages are posts of the site's blog. */
  readonly posts: number;
  /** How many images were copied, and how many were left at the old site. */
  readonly imagesCopied: number;
  readonly imagesLeft: number;
  readonly failedImages: readonly FailedImage[];
  readonly notes: SiteToImport['notes'];
}

/**
 * Checks whether the pages of another system's site can be created, and copies its images. Returns a function that creates the
 * pages in a transaction that has checked the caller. After a dry run, that function changes nothing.
 * @throws ValidationError with every broken rule, named by the page that breaks it
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
  // Checked before the images are copied: copying takes long, and is useless without the pages.
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
    imagesCopied,
    imagesLeft: site.images.length - imagesCopied,
    failedImages,
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

/** Names failures by the page's name, which users know better than its place in the list. */
function namedErrors({ fields }: ValidationError, { pages }: SiteToImport): ValidationError {
  return new ValidationError(
    fields.map((failure) => ({
      ...failure,
      field: failure.field.replace(/^pages\[(\d+)\]/, (_, index) => `"${pages[Number(index)]!.name}"`),
    })),
  );
}
