import { admitKey } from '../../api-keys/admit-key.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db, Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { openMediaStore } from '../../media/open-store.ts';
import type { importArchive } from '../../page-archives/import-archive.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import { checkImport, importPages } from '../../pages/import-pages.ts';
import { bodyFormats, pageId, parsePageId } from '../../pages/page.ts';
import { MAX_PAGES, readPageTree, type TreePage } from '../../pages/read-page-tree.ts';
import { Refusal } from '../../refusal.ts';
import { refusalInEnglish } from '../../refusal-words.ts';
import { decodeUtf8 } from '../form.ts';
import type { RequestContext } from '../request-context.ts';
import { parseStrictJson } from '../strict-json.ts';
import { assertScope } from './access.ts';
import { refused } from './answers.ts';
import { ARCHIVE_TYPE } from './change.ts';
import { changing } from './changing.ts';
import { createPageOperation } from './create-page.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { fieldPairs } from './field-pairs.ts';
import { objectSchema, ref, type Schema, textSchema } from './json-schema.ts';
import { pageProperties } from './list-pages.ts';
import { changeOperation, type ObjectSchema, textOrNumberField } from './operation.ts';
import { contentTypeOf } from './read-fields.ts';

/** Some more than the fields of as many pages as there may be, and their levels. */
const DOCUMENT_LIMITS = { maxValues: 25 * MAX_PAGES, maxDepth: 100 };

const { input: newPage } = createPageOperation as { input: ObjectSchema };
const { urlname, is_hidden, description, custom_date } = pageProperties as Record<string, Schema>;

export const importPagesOperation = changeOperation({
  id: 'importPages',
  method: 'POST',
  path: '/api/pages/import.json',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Import a page tree',
  description: `Creates all pages of a tree, or none: the first ones last among their siblings. The tree has the form in which the list answers, so the list of one account can be imported into another. Ids, URLs, positions, and by whom and when pages were made, are passed over: they are new. At most ${MAX_PAGES.toLocaleString('en')} pages.`,
  input: {
    object: 'import',
    name: 'ImportOptions',
    isOptional: true,
    fields: {
      parent_id: {
        ...textOrNumberField,
        required: false,
        description: 'Id of the page below which the tree comes. Blank means the root.',
        example: 'page_12',
      },
      dry_run: {
        type: 'boolean',
        accepts: ['string', 'boolean'],
        required: false,
        description: 'When true, the tree is checked and nothing is created.',
        example: false,
      },
    },
  },
  document: {
    schema: 'PageTree',
    description: 'The tree, as the list of pages answers with it. Or a ZIP archive of files.',
    archive:
      'Markdown and HTML files, and the images that they show. Folders make the tree, and the beginning of a file between two lines of `---` may have `name`, `position`, `hidden`, `description` and other fields.',
    example: {
      pages: [
        { name: 'Services', body: '<p>All we do.</p>', children: [{ name: 'Wedding cakes' }, { name: 'Catering' }] },
      ],
    },
  },
  answers: [
    { status: 200, schema: 'PagesImported', description: 'The pages were created, or in a dry run: could be.' },
    {
      status: 400,
      schema: 'Failure',
      description: 'The body is not such a document.',
      example: {
        response: false,
        errors: 'The document must be an object with a list "pages", as the list of pages is.',
      },
    },
    refused('Rules were broken, and nothing was created. Each failure names the place of the page in the document.', [
      ['pages[0].name', 'has already been taken'],
      ['pages[3].children[0].body_format', 'is not included in the list'],
    ]),
  ],
  schemas: {
    PageTree: objectSchema({
      pages: { type: 'array', items: ref('PageToImport'), description: 'The pages, as the list of pages has them.' },
    }),
    PageToImport: objectSchema(
      { name: textSchema(newPage.fields.name!.description, 'Opening hours') },
      {
        urlname: { ...urlname, description: "The page's part of its URL. Not given: made of the name." },
        body: textSchema(newPage.fields.body!.description, '<p>Tuesday to Sunday, 7 to 18 h.</p>'),
        is_hidden: { ...is_hidden, description: 'Whether the page is hidden from navigation.' },
        description: { ...description, description: 'Page excerpt, used as meta-data.' },
        body_format: {
          ...textSchema(
            'Format used to edit the page. Not given: the editor chosen in the account settings.',
            'wysiwyg_format',
          ),
          enum: [...bodyFormats, ''],
        },
        custom_date: { ...custom_date, description: 'A date of the page. Not given: the time of the import.' },
        is_published: {
          type: 'boolean',
          description: 'Whether visitors see the page. Not given: they do.',
          examples: [true],
        },
        children: {
          type: 'array',
          items: ref('PageToImport'),
          description: 'Sub-pages, each with the same fields.',
          examples: [[]],
        },
      },
    ),
    PagesImported: objectSchema({
      response: { const: true },
      errors: { type: 'array', maxItems: 0, description: 'Always empty.' },
      count: { type: 'integer', minimum: 0, description: 'How many pages the tree has.', examples: [3] },
      pages: {
        type: 'array',
        items: ref('ImportedPage'),
        description: 'The new pages, in the places that they have in the document. Empty for a dry run.',
      },
    }),
    ImportedPage: objectSchema({
      id: pageProperties.id!,
      name: pageProperties.name!,
      children: { type: 'array', items: ref('ImportedPage'), description: 'Its sub-pages.', examples: [[]] },
    }),
  },
  noErrors: [],
  present: fieldPairs,
  fingerprintName: 'import pages',
  answerOf: (result) => ({ now: result as object, kept: result as object }),
  isDryRun: ({ dry_run }) => parseFlag(dry_run ?? '') === 1,
  prepare: async ({ parent_id, dry_run }, caller, ctx, dependencies, _, body) => {
    const { config } = dependencies;
    const isDryRun = parseFlag(dry_run ?? '');
    if (isDryRun === undefined) throw new ValidationError([{ field: 'dry_run', code: 'not_true_or_false' }]);
    const { accountId } = caller;
    const place = { parentId: parsePageId(parent_id ?? ''), quota: config.pageQuota };
    const isArchive = body !== undefined && contentTypeOf(ctx.request).type === ARCHIVE_TYPE;
    const pages = isArchive
      ? await readArchivePages(dependencies, ctx, caller, { bytes: body, isDryRun: isDryRun === 1, ...place })
      : readPageTree(readDocument(ctx, body));
    const input = { pages, ...place };
    if (isDryRun) {
      return async (db) => {
        await snapshot(db as Db, (trx) => checkImport(trx, accountId, input));
        return { count: pages.length, pages: [] };
      };
    }
    return changing(caller, ctx, async (trx, by) => {
      const ids = await importPages(trx, accountId, input, { userId: by.userId, by });
      return { count: pages.length, pages: treeOf(pages, ids) };
    });
  },
});

/** Returns the pages of an archive, whose images are uploaded. */
async function readArchivePages(
  { db, config }: ChangeDependencies,
  ctx: RequestContext,
  caller: KeyOwner,
  input: Omit<Parameters<typeof importArchive>[2], 'admitImages'>,
): Promise<TreePage[]> {
  // Most requests have no archive: neither what reads it, nor what makes images, is loaded for them.
  const { importArchive } = await import('../../page-archives/import-archive.ts');
  const uploads = {
    ...{ db, store: openMediaStore(config), imageQuota: config.mediaQuota, imageLimit: config.maxBodyBytes },
    admit: (trx: Trx) => admitKey(trx, caller, ctx.ip),
    inWords: (error: AppError) => (error instanceof Refusal ? refusalInEnglish(error.why) : undefined) ?? error.message,
  };
  const admitImages = () => assertScope(caller, 'images:write');
  return importArchive(uploads, caller.accountId, { ...input, admitImages });
}

/** @throws AppError `malformed` */
function readDocument({ request }: RequestContext, body: Buffer | undefined): unknown {
  if (body === undefined || contentTypeOf(request).type !== 'application/json') {
    throw new AppError(
      'malformed',
      'The body must be a document of the type application/json, or an archive of the type application/zip.',
    );
  }
  const text = decodeUtf8(body);
  try {
    return parseStrictJson(text, DOCUMENT_LIMITS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError(
      'malformed',
      `The body is not JSON, or an object has a name twice, or there is half a character, or there is more than ${MAX_PAGES} pages have.`,
    );
  }
}

interface ImportedPage {
  id: string;
  name: string;
  children: ImportedPage[];
}

/** Returns the ids in the places of their pages. */
function treeOf(pages: readonly TreePage[], ids: readonly number[]): ImportedPage[] {
  const roots: ImportedPage[] = [];
  const made = ids.map((id, index): ImportedPage => ({ id: pageId(id), name: pages[index]!.name, children: [] }));
  for (const [index, { parent }] of pages.entries())
    (parent === null ? roots : made[parent]!.children).push(made[index]!);
  return roots;
}
