import { AppError, ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import { formatPageId, parsePageId } from '../../pages/page.ts';
import { MAX_PAGES } from '../../pages/parse-page-tree.ts';
import type { FileToImport, ImportedFile } from '../../site-imports/prepare-file.ts';
import { reportInWords } from '../../site-imports/report-words.ts';
import { decodeUtf8 } from '../form.ts';
import type { RequestContext } from '../request-context.ts';
import { parseLargeJson } from '../strict-json.ts';
import type { FieldTexts } from './operation.ts';
import { contentTypeOf } from './read-fields.ts';

export const ARCHIVE_TYPE = 'application/zip';

/** @throws ValidationError */
export function readImportInput({
  parent_id = '',
  posts = 'Blog',
  site_url = '',
  images = '',
  dry_run = '',
}: FieldTexts<string>) {
  const flags = { images: parseFlag(images), dry_run: parseFlag(dry_run) };
  const wrong = Object.entries(flags).flatMap(([field, flag]): FieldError[] =>
    flag === undefined ? [{ field, code: 'not_true_or_false' }] : [],
  );
  if (wrong.length > 0) throw new ValidationError(wrong);
  return {
    parentId: parsePageId(parent_id),
    blogName: posts,
    siteUrl: site_url,
    images: flags.images === 1,
    isDryRun: flags.dry_run === 1,
  };
}

/** The most notes in an answer. A file may give reasons for a million. */
const MAX_NOTES = 1000;

function notesOf(site: NonNullable<ImportedFile['site']>): string[] {
  const notes = reportInWords(site);
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `There are ${more} more notes.`] : notes;
}

export function importAnswer({ pages, ids, site }: ImportedFile) {
  const answer = { count: pages.length, pages: ids.length === 0 ? [] : treeOf(pages, ids) };
  if (!site) return answer;
  const { unpublished, redirects, imagesCopied: images_copied, imagesLeft: images_left } = site;
  return { ...answer, site: { unpublished, redirects, images_copied, images_left, notes: notesOf(site) } };
}

/** Returns the kind of file that the body is according to its type, or undefined for JSON and other types. */
export function fileKind({ request }: RequestContext): 'archive' | 'wordpress' | undefined {
  const { type } = contentTypeOf(request);
  if (type === ARCHIVE_TYPE) return 'archive';
  return type === 'application/xml' || type === 'text/xml' ? 'wordpress' : undefined;
}

export function readImportFile(ctx: RequestContext, body: Buffer | undefined): FileToImport {
  const kind = body && fileKind(ctx);
  return kind ? { kind, bytes: body } : { kind: 'json', document: readDocument(ctx, body) };
}

/** @throws AppError `malformed` */
function readDocument({ request }: RequestContext, body: Buffer | undefined): unknown {
  if (body === undefined || contentTypeOf(request).type !== 'application/json') {
    throw new AppError(
      'malformed',
      'The body must be a document of the type application/json, an archive of the type application/zip, or an export of the type application/xml.',
    );
  }
  const text = decodeUtf8(body);
  try {
    return parseLargeJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError(
      'malformed',
      `The body is not valid JSON, has the same name twice in an object, has half a character in a text, or is larger than a document of ${MAX_PAGES} pages can be.`,
    );
  }
}

interface ImportedPage {
  id: string;
  name: string;
  children: ImportedPage[];
}

/** Returns the tree of created pages, with their ids. */
function treeOf(pages: ImportedFile['pages'], ids: readonly number[]): ImportedPage[] {
  const roots: ImportedPage[] = [];
  const made = ids.map((id, index): ImportedPage => ({ id: formatPageId(id), name: pages[index]!.name, children: [] }));
  for (const [index, { parent }] of pages.entries())
    (parent === null ? roots : made[parent]!.children).push(made[index]!);
  return roots;
}
