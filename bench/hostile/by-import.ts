import { wordPressExport } from '../../test/wordpress-export.ts';
import { zip } from '../../test/zip.ts';
import { type Attack, filled, KIB, MAX_BODY_BYTES, MIB, send, type Target, upTo } from './attack.ts';

const JSON_TYPE = 'application/json';
const XML_TYPE = 'application/xml';
const ZIP_TYPE = 'application/zip';

const IMPORT_BYTES = MAX_BODY_BYTES - KIB;
const ARCHIVE_FILES = 10_000;
const UNPACKED_BYTES = 60 * MIB;

/** Texts that are repeated until they fill a page or post. */
const contents = {
  'nested elements': '<div>',
  paragraphs: '<p>Text.',
  shortcodes: '[caption id="a"]',
  images: '<img src="https://www.old.example/a.jpg">',
  links: '<a href="https://www.old.example/b/">b</a>',
  'blocks of the editor': '<!-- wp:paragraph {"a":1} --><p>a</p><!-- /wp:paragraph -->',
};

/** Elements that are repeated until they fill a WordPress export. */
const pieces = {
  'empty items': '<item></item>',
  items: '<item><title>a</title><wp:post_type>page</wp:post_type><wp:post_name>a</wp:post_name></item>',
  'elements that do not end': '<a>',
  attributes: '<a b="c" d="e"/>',
  entities: '&amp;',
  comments: '<!-- -->',
  'sections of text': '<![CDATA[a]]>',
};

/** Attacks by a program that imports pages with the key of one account. They change nothing, so each can be repeated. */
export const byImport: readonly Attack[] = [
  {
    name: 'imports: a list of many pages',
    sizes: upTo(IMPORT_BYTES),
    make: (size, target) => dryRun(target, JSON_TYPE, `[${filled('{"name":"a"},', size - 20)}{"name":"a"}]`),
  },
  {
    name: 'imports: a list of pages of 2 KB',
    sizes: upTo(IMPORT_BYTES),
    make: (size, target) => {
      const page = `{"name":"Page","body":"${filled('<p>Text.</p>', 2000)}"},`;
      return dryRun(target, JSON_TYPE, `[${filled(page, size - 20)}{"name":"a"}]`);
    },
  },
  {
    name: 'imports: a list of pages in pages',
    sizes: upTo(IMPORT_BYTES),
    make: (size, target) => {
      const depth = Math.floor((size - 20) / 26);
      return dryRun(target, JSON_TYPE, `${'[{"name":"a","children":'.repeat(depth)}[]${'}]'.repeat(depth)}`);
    },
  },
  {
    name: 'imports: an archive of many files',
    sizes: upTo(ARCHIVE_FILES),
    make: (count, target) => {
      const files = Array.from({ length: count }, (_, index) => ({
        name: `page-${index}.md`,
        content: '# A page\n\nText.',
      }));
      return dryRun(target, ZIP_TYPE, zip(files));
    },
  },
  {
    name: 'imports: an archive of texts of up to 60 MB',
    sizes: upTo(UNPACKED_BYTES),
    make: (size, target) => {
      const content = filled('Some *text*.\n\n', size / 60);
      return dryRun(
        target,
        ZIP_TYPE,
        zip(Array.from({ length: 60 }, (_, index) => ({ name: `page-${index}.md`, content }))),
      );
    },
  },
  ...Object.entries(pieces).map(
    ([kind, text]): Attack => ({
      name: `imports: a WordPress export of ${kind}`,
      sizes: upTo(IMPORT_BYTES),
      make: (size, target) => {
        const [start, end] = wordPressExport([]).split('</channel>') as [string, string];
        return dryRun(target, XML_TYPE, `${start}${filled(text, size - KIB)}</channel>${end}`);
      },
    }),
  ),
  ...Object.entries(contents).map(
    ([kind, text]): Attack => ({
      name: `imports: a WordPress page of ${kind}`,
      sizes: upTo(IMPORT_BYTES),
      make: (size, target) => {
        const page = { title: 'Page', 'wp:post_type': 'page', 'wp:status': 'publish', 'wp:post_name': 'page' };
        return dryRun(
          target,
          XML_TYPE,
          wordPressExport([{ ...page, 'content:encoded': filled(text, size - 2 * KIB) }]),
        );
      },
    }),
  ),
  ...Object.entries(contents).map(
    ([kind, text]): Attack => ({
      name: `imports: a Ghost post of ${kind}`,
      sizes: upTo(IMPORT_BYTES),
      make: (size, target) => {
        const post = { type: 'post', status: 'published', title: 'Post', slug: 'post' };
        const html = text.repeat((size - KIB) / (JSON.stringify(text).length - 2));
        return dryRun(target, JSON_TYPE, JSON.stringify({ db: [{ data: { posts: [{ ...post, html }] } }] }));
      },
    }),
  ),
];

function dryRun({ attacker }: Target, type: string, body: string | Buffer) {
  const query = `api_key=${attacker.key}&import%5Bdry_run%5D=1&import%5Bsite_url%5D=https%3A%2F%2Fwww.old.example`;
  return send('POST', `/api/pages/import.json?${query}`, { type, body: Buffer.from(body) });
}
