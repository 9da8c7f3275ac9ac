import type { Actor } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError, ValidationError } from '../errors.ts';
import { fetchSettings } from '../media/fetch-file.ts';
import { openMediaStore } from '../media/open-store.ts';
import { validateName } from '../name.ts';
import { importArchive } from '../page-archives/import-archive.ts';
import { type Archive, readArchive } from '../page-archives/read-archive.ts';
import { readFolder } from '../page-archives/read-folder.ts';
import { checkImport, importPages } from '../pages/import-pages.ts';
import { MAX_PAGES, parsePageTree } from '../pages/parse-page-tree.ts';
import { isGhostExport } from './ghost-export.ts';
import type { OldSite } from './old-site.ts';
import { prepareSite, type SiteReport } from './prepare-site.ts';
import { readGhostExport } from './read-ghost-export.ts';
import { readWordPressExport } from './read-wordpress-export.ts';
import { sitePages } from './site-pages.ts';

/** How long images are fetched from an old site while a client waits for the response. */
const MAX_FETCHING_MS = 8 * 60_000;

/** A file from which pages can be made. */
export type FileToImport =
  | { readonly kind: 'archive' | 'wordpress'; readonly bytes: Buffer }
  /** A folder of this machine with Markdown and HTML files and their images. */
  | { readonly kind: 'folder'; readonly path: string }
  /** An export of Ghost, or the list of an account's pages. */
  | { readonly kind: 'json'; readonly document: unknown };

interface ImportFileInput {
  /** The parent for the pages of an archive or list; null for the root; undefined for an id that no page can have. */
  readonly parentId: number | null | undefined;
  /** The name of the page below which the posts of a site are put. */
  readonly blogName: string;
  /** The address of the old site, which an export of Ghost lacks; empty for none. */
  readonly siteUrl: string;
  /** True to copy images from the old site. */
  readonly images: boolean;
  /** True to check everything and change nothing. */
  readonly isDryRun: boolean;
}

interface FileImporter {
  readonly userId: number;
  /** Runs a transaction after checking the caller. */
  readonly commit: <T>(work: (trx: Trx, by: Actor) => Promise<T>) => Promise<T>;
  /** Called before images are added. @throws AppError if the caller may not add images */
  readonly admitImages?: () => void;
}

export interface ImportedFile {
  /** The pages, each before its children. */
  readonly pages: readonly { readonly name: string; readonly parent: number | null }[];
  /** The ids of the pages in order; empty for a dry run. */
  readonly ids: readonly number[];
  /** Further results, for the site of another system. */
  readonly site?: SiteReport;
}

/**
 * Reads a file of pages, checks all of it, and adds its images. Returns a function that creates the pages, all or none, in a
 * transaction that has checked the caller. After a dry run, that function changes nothing.
 * @throws AppError `malformed` or `invalid` for a file that cannot be read; ValidationError with every broken rule
 */
export async function prepareFile(
  { db, config }: { readonly db: Db; readonly config: Config },
  accountId: number,
  { file, ...input }: ImportFileInput & { readonly file: FileToImport },
  { userId, commit, admitImages = () => {} }: FileImporter,
): Promise<(trx: Trx, by: Actor) => Promise<ImportedFile>> {
  const { parentId, blogName, images, isDryRun } = input;
  const store = openMediaStore(config);
  const old = await readOldSite(file, input);
  if (old) {
    const site = sitePages(old, { blogName: parseBlogName(blogName), maxPages: MAX_PAGES });
    if (images && site.images.length > 0) admitImages();
    const settings = { pageQuota: config.pageQuota, mediaQuota: config.mediaQuota, fetch: fetchSettings(config) };
    const until = Date.now() + MAX_FETCHING_MS;
    const make = await prepareSite(
      { db, store, ...settings },
      accountId,
      { site, images, isDryRun },
      { userId, commit, until },
    );
    return async (trx, by) => {
      const report = await make(trx, by);
      const pages = report.names.map((name, index) => ({ name, parent: site.pages[index]!.parent ?? null }));
      return { pages, ids: report.ids, site: report };
    };
  }
  const place = { parentId, quota: config.pageQuota };
  const contents =
    file.kind === 'json'
      ? { pages: parsePageTree(file.document) }
      : await importArchive(
          { db, store, imageQuota: config.mediaQuota, imageLimit: config.maxBodyBytes, userId, commit },
          accountId,
          { archive: await archiveOf(file), isDryRun, admitImages, ...place },
        );
  const { pages } = contents;
  if (isDryRun) {
    // `importArchive` has already checked the pages of an archive.
    if (file.kind === 'json') await snapshot(db, (trx) => checkImport(trx, accountId, { pages, ...place }));
    return async () => ({ pages, ids: [] });
  }
  return async (trx, by) => ({
    pages,
    ids: await importPages(trx, accountId, { ...contents, ...place }, { userId, by }),
  });
}

function archiveOf(file: Exclude<FileToImport, { readonly kind: 'json' }>): Promise<Archive> {
  return file.kind === 'folder' ? readFolder(file.path) : readArchive(file.bytes);
}

async function readOldSite(
  file: FileToImport,
  { siteUrl }: Pick<ImportFileInput, 'siteUrl'>,
): Promise<OldSite | undefined> {
  if (file.kind === 'wordpress') return readWordPressExport([file.bytes.toString()]);
  if (file.kind !== 'json' || !isGhostExport(file.document)) return undefined;
  if (siteUrl.trim() === '') throw new ValidationError([{ field: 'site_url', code: 'blank' }]);
  try {
    return readGhostExport(file.document, siteUrl.trim());
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid')) throw error;
    throw new ValidationError([{ field: 'site_url', code: 'not_a_url' }]);
  }
}

function parseBlogName(text: string): string {
  const name = text.trim();
  const problem = validateName(name);
  if (problem) throw new ValidationError([{ field: 'posts', ...problem }]);
  return name;
}
