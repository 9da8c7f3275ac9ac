import { AppError, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import type { FileToImport, ImportedFile } from '../../site-imports/prepare-file.ts';
import { reportInWords } from '../../site-imports/report-words.ts';
import { decodeUtf8 } from '../form.ts';
import { parseLargeJson } from '../strict-json.ts';
import { pageImportQuery } from './contract/page-imports.ts';
import type { PageImportJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

/** How many notes a response has. */
const MAX_NOTES = 100;

/** Returns the routes for imports of pages from files. */
export function pageImportRoutes(dependencies: Pick<RouteDependencies, 'db' | 'config'>): AdminRoute[] {
  return [
    route('POST /admin/page-imports', {
      takes: 'archive',
      needs: 'administer_pages',
      query: pageImportQuery,
      handle: (request) => importFile(dependencies, request),
    }),
  ];
}

async function importFile(
  { db, config }: Pick<RouteDependencies, 'db' | 'config'>,
  { sessionOwner, query, actor, change, file }: SignedInRequest<NoInput, typeof pageImportQuery>,
) {
  // Loaded on demand: the code that reads files and makes images is large, and most sessions import nothing.
  const { prepareFile } = await import('../../site-imports/prepare-file.ts');
  const { check, posts = 'Blog', site_url: siteUrl = '', images } = query;
  const isDryRun = check !== undefined;
  const options = { parentId: null, blogName: posts, siteUrl, images: images !== undefined, isDryRun };
  const input = { file: readFile(file!), ...options };
  const importPrepared = await prepareFile({ db, config }, sessionOwner.accountId, input, {
    userId: sessionOwner.userId,
    commit: (work) => change((trx) => work(trx, actor)),
  }).catch(refuseUnknown);
  const done = await change((trx) => importPrepared(trx, actor));
  return jsonResponse(isDryRun ? 200 : 201, pageImportJson(done));
}

/** Recognizes the kind of a file by its content. @throws Refusal */
function readFile(bytes: Buffer): FileToImport {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return { kind: 'archive', bytes };
  const beginning = bytes
    .subarray(0, 100)
    .toString()
    .replace(/^\ufeff/, '');
  if (beginning.trimStart().startsWith('<')) return { kind: 'wordpress', bytes };
  try {
    return { kind: 'json', document: parseLargeJson(decodeUtf8(bytes)) };
  } catch (error) {
    throw unknownFile(error);
  }
}

/** Throws the error. If it is about the file as a whole, replaces it: its message is meant for users of the API. */
function refuseUnknown(error: unknown): never {
  const isAboutFile = error instanceof AppError && (error.code === 'invalid' || error.code === 'malformed');
  throw isAboutFile && !(error instanceof ValidationError || error instanceof Refusal) ? unknownFile(error) : error;
}

function unknownFile(cause: unknown): Refusal {
  return new Refusal('invalid', { reason: 'unknown_import_file' }, { cause });
}

function pageImportJson({ pages, ids, site }: ImportedFile): PageImportJson {
  const notes = site ? reportInWords(site) : [];
  return {
    pageCount: pages.length,
    roots: ids.filter((_, index) => pages[index]!.parent === null),
    site: site
      ? {
          postCount: site.posts,
          unpublishedCount: site.unpublished,
          redirectCount: site.redirects,
          imagesCopied: site.imagesCopied,
          imagesLeft: site.imagesLeft,
          notes: notes.slice(0, MAX_NOTES),
          noteCount: notes.length,
        }
      : null,
  };
}
