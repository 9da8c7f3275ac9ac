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
import type { TreePage } from '../pages/read-page-tree.ts';
import { messageInEnglish } from '../refusal-words.ts';
import { TextGrowth } from '../text-growth.ts';
import { archivePages } from './archive-pages.ts';
import { linkedTexts } from './links.ts';
import type { Archive } from './read-archive.ts';
import { replaceAddresses, resolvePath } from './references.ts';

interface ArchiveDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  /** Bytes that all of an account's images may take up, and one of them. */
  readonly imageQuota: number;
  readonly imageLimit: number;
  /** The user whose images they are. */
  readonly userId: number;
  /** Runs a transaction after it has checked the one who imports. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
}

interface ImportArchiveInput extends Omit<ImportPagesInput, 'pages' | 'textOf'> {
  readonly archive: Archive;
  /** Checks everything, and uploads nothing. */
  readonly isDryRun: boolean;
  /** Called if there are images. @throws AppError where they must not be uploaded */
  readonly admitImages: () => void;
}

/** The pages of an archive, and what gives them texts with links to the paths that they get: see `importPages`. */
type ArchivePages = Required<Pick<ImportPagesInput, 'pages' | 'textOf'>>;

/**
 * Uploads the images of an archive, and returns its pages, which show them. Everything that can be checked is checked before the
 * first image is uploaded. Images stay if the import is refused after that: another attempt finds them.
 * @throws ValidationError with everything that is wrong, by files; what `uploadImage` throws
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
  const shown = sources ? pages.map((page) => ({ ...page, body: withImages(page, sources, growth) })) : pages;
  return { pages: shown, textOf: linkedTexts(shown) };
}

/** By their beginnings: what is inside shows when they are read. */
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

/** Returns the addresses of the images by their paths. */
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
