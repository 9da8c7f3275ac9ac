import { assertKeyActive } from '../../api-keys/assert-key-active.ts';
import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import { checkImport, importPages } from '../../pages/import-pages.ts';
import { bodyFormats } from '../../pages/page.ts';
import { MAX_PAGES, parsePageTree } from '../../pages/parse-page-tree.ts';
import { queryValue, queryValues } from '../../query.ts';
import { isGhostExport } from '../../site-imports/ghost-export.ts';
import { assertScope } from './access.ts';
import { badRequest, refused } from './answers.ts';
import { changing } from './changing.ts';
import { createPageOperation } from './create-page.ts';
import { countSchema, objectSchema, ref, type Schema, textSchema } from './json-schema.ts';
import { changeOperation, type ObjectSchema, textField, textOrNumberField } from './operation.ts';
import { pageProperties } from './page-schema.ts';
import { ARCHIVE_TYPE, fileKind, importAnswer, readImportFile, readImportInput } from './read-import.ts';

const flagField = { type: 'boolean', accepts: ['string', 'boolean'], example: false } as const;

const { input: newPage } = createPageOperation as { input: ObjectSchema };
const { urlname, is_hidden, description, custom_date } = pageProperties as Record<string, Schema>;

export const importPagesOperation = changeOperation('POST /api/pages/import.json', {
  id: 'importPages',
  tag: 'Pages',
  scope: 'pages:write',
  summary: 'Import a page tree',
  description: `Creates all pages of a tree, or none. The top pages of the tree go last among their siblings. The tree has the form of the list of pages, so the list of one account can be imported into another. Ids, URLs, positions, and the users and times of creation and update are ignored. At most ${MAX_PAGES.toLocaleString('en')} pages.`,
  input: {
    object: 'import',
    name: 'ImportOptions',
    isOptional: true,
    fields: {
      parent_id: textOrNumberField('Id of the page below which the tree is created. Blank means the root.', 'page_12'),
      posts: textField('Name of the page below which the posts of a site are created; “Blog” by default.', 'News'),
      site_url: textField(
        'Address of the old site, for a Ghost export, which does not contain it.',
        'https://www.example.com',
      ),
      images: {
        ...flagField,
        description: 'When true, the images of a site are copied from the old site, for up to 8 minutes.',
      },
      dry_run: {
        ...flagField,
        description: 'When true, the tree is checked and nothing is created.',
      },
    },
  },
  document: {
    schema: 'PageTree',
    description:
      'The tree in the form of the list of pages, a ZIP archive of files, or the export of a WordPress or Ghost site.',
    files: {
      [ARCHIVE_TYPE]: {
        description:
          'Markdown and HTML files, and the images that they show. The folders form the tree. Front matter between two lines of `---` may have `name`, `position`, `hidden`, `description` and other fields.',
        example: '(the bytes of site.zip)',
      },
      'application/xml': {
        description: 'The file that WordPress creates under Tools, Export, All content.',
        example: '(the bytes of site.WordPress.xml)',
      },
    },
    // An estimate: the body, which also has these fields, has not been read yet.
    fetchesImages: ({ query }) => {
      const [isDryRun = '', ...others] = queryValues(query, 'import[dry_run]');
      const isCertain = parseFlag(isDryRun) === 1 && others.length === 0;
      return queryValue(query, 'import[images]') !== undefined && !isCertain;
    },
    takesMinutes: (ctx) => fileKind(ctx) !== undefined || queryValue(ctx.query, 'import[site_url]') !== undefined,
    example: {
      pages: [
        { name: 'Services', body: '<p>All we do.</p>', children: [{ name: 'Wedding cakes' }, { name: 'Catering' }] },
      ],
    },
  },
  answers: [
    { status: 200, schema: 'PagesImported', description: 'The pages were created or, in a dry run, could be created.' },
    badRequest(
      'The body is not a valid document.',
      'The document must be an object with a list "pages", as the list of pages is.',
    ),
    refused('Validation failed, and nothing was created. Each failure names the place of the page in the document.', [
      ['pages[0].name', 'has already been taken'],
      ['pages[3].children[0].body_format', 'is not included in the list'],
    ]),
  ],
  schemas: {
    PageTree: objectSchema({
      pages: { type: 'array', items: ref('PageToImport'), description: 'The pages, in the form of the list of pages.' },
    }),
    PageToImport: objectSchema(
      { name: textSchema(newPage.fields.name!.description, 'Opening hours') },
      {
        urlname: { ...urlname, description: "The page's segment of the URL. By default, it is made from the name." },
        body: textSchema(newPage.fields.body!.description, '<p>Tuesday to Sunday, 7 to 18 h.</p>'),
        is_hidden: { ...is_hidden, description: 'Whether the page is hidden from navigation.' },
        description: { ...description, description: 'Page excerpt, used as meta-data.' },
        body_format: {
          ...textSchema(
            'Format used to edit the page. By default, the editor chosen in the account settings.',
            'wysiwyg_format',
          ),
          enum: [...bodyFormats, ''],
        },
        custom_date: { ...custom_date, description: 'A date of the page. By default, the time of the import.' },
        is_published: {
          type: 'boolean',
          description: 'Whether visitors see the page; true by default.',
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
    PagesImported: objectSchema(
      {
        response: { const: true },
        errors: { type: 'array', maxItems: 0, description: 'Always empty.' },
        count: countSchema('Number of pages in the tree.', 3),
        pages: {
          type: 'array',
          items: ref('ImportedPage'),
          description: 'The new pages, as a tree like the document. Empty for a dry run.',
        },
      },
      { site: { ...ref('ImportedSite'), description: 'Only for an export of another system.' } },
    ),
    ImportedSite: objectSchema({
      unpublished: countSchema(
        'Number of pages that are not published: drafts, and pages that only some visitors could see.',
        2,
      ),
      redirects: countSchema('Number of former addresses that redirect.', 12),
      images_copied: countSchema('Number of images that were copied.', 30),
      images_left: countSchema('Number of images that stay on the old site.', 0),
      notes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Notes in English about everything that could not be imported unchanged.',
        examples: [['"Contact": The shortcode [contact-form-7] does not work here, and is shown as text.']],
      },
    }),
    ImportedPage: objectSchema({
      id: pageProperties.id!,
      name: pageProperties.name!,
      children: { type: 'array', items: ref('ImportedPage'), description: 'Sub-pages of the page.', examples: [[]] },
    }),
  },
  fingerprintName: 'import pages',
  answerOf: (result) => result as object,
  isDryRun: ({ dry_run }) => parseFlag(dry_run ?? '') === 1,
  prepare: async ({ fields, keyOwner, ctx, dependencies: { db, config }, body }) => {
    const input = readImportInput(fields);
    const { parentId, isDryRun } = input;
    const { accountId } = keyOwner;
    const file = readImportFile(ctx, body);
    if (file.kind === 'json' && !isGhostExport(file.document)) {
      const tree = { pages: parsePageTree(file.document), parentId, quota: config.pageQuota };
      if (isDryRun) {
        return async (db) => {
          await snapshot(db as Db, async (trx) => {
            // The tree may have been sent slowly enough to outlast a revocation of the key.
            await assertKeyActive(trx, accountId, keyOwner.keyId);
            await checkImport(trx, accountId, tree);
          });
          return { count: tree.pages.length, pages: [] };
        };
      }
      return changing(keyOwner, ctx, async (trx, by) => {
        return importAnswer({
          pages: tree.pages,
          ids: await importPages(trx, accountId, tree, { userId: by.userId, by }),
        });
      });
    }
    // Loaded only now: most requests have no file, and need neither the importer nor the image maker.
    const { prepareFile } = await import('../../site-imports/prepare-file.ts');
    const make = await prepareFile(
      { db, config },
      accountId,
      { file, ...input },
      {
        userId: keyOwner.userId,
        commit: (work) => changing(keyOwner, ctx, work)(db),
        admitImages: () => assertScope(keyOwner, 'images:write'),
      },
    );
    return changing(keyOwner, ctx, async (trx, by) => importAnswer(await make(trx, by)));
  },
});
