import { Readable } from 'node:stream';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { fileName } from '../media/file-name.ts';
import { ImageMaker } from '../media/image-maker.ts';
import { HEAD_BYTES, kindOf } from '../media/kind-of.ts';
import type { MediaStore } from '../media/store.ts';
import { uploadImage } from '../media/upload-image.ts';
import { checkImport, type ImportPagesInput } from '../pages/import-pages.ts';
import type { TreePage } from '../pages/parse-page-tree.ts';
import { messageInEnglish } from '../refusal-words.ts';
import { TextGrowth } from '../text-growth.ts';
import { archivePages } from './archive-pages.ts';
import { linkedTexts } from './links.ts';
import type { Archive } from './read-archive.ts';
import { replaceAddresses, resolvePath } from './references.ts';

interface ArchiveDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  /** The most bytes that the account's images may take up together, and the most bytes of one image. */
  readonly imageQuota: number;
  readonly imageLimit: number;
  /** The user who becomes the owner of the images. */
  readonly userId: number;
  /** Runs a transaction after checking the user who imports. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
}

interface ImportArchiveInput extends Omit<ImportPagesInput, 'pages' | 'textOf'> {
  readonly archive: Archive;
  /** True to check everything and upload nothing. */
  readonly isDryRun: boolean;
  /** Called if there are images. @throws AppError if the user may not upload images */
  readonly admitImages: () => void;
}

/** The pages of an archive, and the function for their texts, whose links lead to the new paths: see `importPages`. */
type ArchivePages = Required<Pick<ImportPagesInput, 'pages' | 'textOf'>>;

/**
 * Uploads the images of an archive, and returns the pages that show them. Everything that can be checked is checked before the
 * first image is uploaded. If the import is refused afterwards, the images stay, and another attempt reuses them.
 * @throws ValidationError with every failure by file; the errors of `uploadImage`
 */
export async function importArchive(
  dependencies: ArchiveDependencies,
  accountId: number,
  { archive: { texts, images }, isDryRun, admitImages, ...rest }: ImportArchiveInput,
): Promise<ArchivePages> {
  if (images.size > 0) admitImages();
  const wrong = validateImages(dependencies, images);
  if (wrong.length > 0) throw new ValidationError(wrong);
  const pages = archivePages(texts);
  await snapshot(dependencies.db, (trx) => checkImport(trx, accountId, { pages, ...rest }));
  const sources = isDryRun || images.size === 0 ? undefined : await uploadAll(dependencies, accountId, images);
  const growth = new TextGrowth();
  const pagesWithImages = sources ? pages.map((page) => ({ ...page, body: withImages(page, sources, growth) })) : pages;
  return { pages: pagesWithImages, textOf: linkedTexts(pagesWithImages) };
}

/** Checks the images by their first bytes. Damage further inside shows only when an image is read. */
function validateImages({ imageLimit }: ArchiveDependencies, images: Archive['images']): FieldError[] {
  return [...images].flatMap(([path, bytes]): FieldError[] => {
    if (bytes.length > imageLimit) return [{ field: path, code: 'too_many_bytes', params: { max: imageLimit } }];
    try {
      kindOf(bytes.subarray(0, HEAD_BYTES));
      return [];
    } catch (error) {
      return [notAnImage(path, error)];
    }
  });
}

function notAnImage(path: string, error: unknown): FieldError {
  if (!(error instanceof AppError) || error.code !== 'invalid' || error instanceof ValidationError) throw error;
  return { field: path, code: 'not_an_image', params: { why: messageInEnglish(error) } };
}

type UploadWork = (trx: Trx) => Promise<Awaited<ReturnType<typeof uploadImage>> | undefined>;

/** Uploads the images, and returns their addresses by their paths. */
async function uploadAll(
  { db, store, imageQuota, imageLimit, userId: createdBy, commit }: ArchiveDependencies,
  accountId: number,
  images: Archive['images'],
): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const wrong: FieldError[] = [];
  const actor = await commit(async (_, by) => by);
  const maker = new ImageMaker();
  try {
    for (const [path, bytes] of images) {
      const name = fileName(path.split('/').at(-1)!);
      const input = { source: Readable.from([bytes]), name, createdBy, commit: (work: UploadWork) => commit(work) };
      const uploaded = uploadImage({ db, store, maker, quota: imageQuota, limit: imageLimit }, accountId, input, actor);
      await uploaded.then(
        ({ media }) => sources.set(path, media.src),
        (error: unknown) => wrong.push(notAnImage(path, error)),
      );
    }
  } finally {
    maker.close();
  }
  if (wrong.length > 0) throw new ValidationError(wrong);
  return sources;
}

function withImages({ body, place }: TreePage, sources: ReadonlyMap<string, string>, growth: TextGrowth): string {
  return replaceAddresses(body, (address) => {
    const source = sources.get(resolvePath(address, place) ?? '');
    return source !== undefined && growth.admits(source.length - address.length) ? source : undefined;
  });
}
