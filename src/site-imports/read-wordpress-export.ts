import { Parser } from 'htmlparser2';
import { AppError } from '../errors.ts';
import { escapeHtml } from '../html.ts';
import { TextGrowth } from '../text-growth.ts';
import { isImage } from './old-addresses.ts';
import { isFile, type OldItem, type OldSite } from './old-site.ts';
import { MAX_OPEN_ELEMENTS } from './parse-html.ts';
import { plainText } from './plain-text.ts';
import type { References } from './tidy-html.ts';
import { wordPressHtml } from './wordpress-html.ts';

/** Far more than the pages of a site, with their files and menus. Even an empty item takes a quarter of a kilobyte. */
const MAX_ITEMS = 200_000;

/** The elements of an item that are read. */
const fields: ReadonlySet<string> = new Set([
  ...['title', 'link', 'guid', 'content:encoded', 'excerpt:encoded', 'wp:post_id', 'wp:post_date_gmt', 'wp:post_date'],
  ...['wp:post_name', 'wp:status', 'wp:post_parent', 'wp:menu_order', 'wp:post_type', 'wp:post_password'],
  'wp:attachment_url',
]);

/** The elements of the channel that are read. */
const siteFields: ReadonlySet<string> = new Set(['link', 'wp:base_site_url', 'wp:base_blog_url', 'wp:wxr_version']);

/**
 * Reads a file of WordPress's “Tools → Export” (WXR) in chunks. Only the five entities of XML itself have a meaning, so a
 * file cannot declare entities that expand.
 * @throws AppError `invalid` for any other file, and for one that ends early
 */
export async function readWordPressExport(chunks: AsyncIterable<string> | Iterable<string>): Promise<OldSite> {
  const items: OldItem[] = [];
  const site = new Map<string, string>();
  let item: Map<string, string> | undefined;
  /** The field whose text is being read. */
  let field: { name: string; parts: string[] } | undefined;
  const path: string[] = [];
  let isComplete = false;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        if (path.length > MAX_OPEN_ELEMENTS) throw notAnExport();
        if (path.length === 3 && path[0] === 'rss' && path[1] === 'channel') {
          if (name === 'item') item = new Map();
          else if (siteFields.has(name)) field = { name, parts: [] };
        } else if (path.length === 4 && item && fields.has(name)) field = { name, parts: [] };
      },
      ontext(text) {
        field?.parts.push(text);
      },
      onclosetag(name, isImplied) {
        if (field && field.name === name && path.length === (item ? 4 : 3)) {
          (item ?? site).set(name, field.parts.join(''));
          field = undefined;
        }
        if (path.length === 3 && name === 'item' && item) {
          if (items.length === MAX_ITEMS)
            throw new AppError('invalid', `The export has more than ${MAX_ITEMS.toLocaleString('en')} items.`);
          items.push(itemOf(item));
          item = undefined;
        }
        if (path.length === 1 && name === 'rss' && !isImplied) isComplete = true;
        path.pop();
      },
    },
    { xmlMode: true },
  );
  // NUL is removed: XML cannot have it, and PostgreSQL refuses it in texts.
  for await (const chunk of chunks) parser.write(chunk.replaceAll('\0', ''));
  parser.end();
  if (!site.has('wp:wxr_version')) throw notAnExport();
  if (!isComplete) throw new AppError('invalid', 'The export file is incomplete. Export the site again.');
  const siteUrl = ['wp:base_blog_url', 'wp:base_site_url', 'link'].map((name) => site.get(name)?.trim()).find(Boolean);
  const all = items.filter(isFile);
  const files: Files = {
    byId: new Map(all.map((file) => [file.id, file])),
    byParent: Map.groupBy(all, ({ parentId }) => parentId),
    captions: new Map(),
    growth: new TextGrowth(),
  };
  const htmlOf = (item: OldItem, references: References) => wordPressHtml(withGalleries(item, files), references);
  return { siteUrl: siteUrl ?? '', items, htmlOf };
}

function notAnExport(): AppError {
  return new AppError(
    'invalid',
    'This is not an export file of WordPress. Create one in WordPress under Tools, Export.',
  );
}

function itemOf(texts: ReadonlyMap<string, string>): OldItem {
  const text = (name: string) => texts.get(name) ?? '';
  const word = (name: string) => text(name).trim();
  const number = (name: string) => (/^-?\d{1,15}$/.test(word(name)) ? Number(word(name)) : 0);
  return {
    id: number('wp:post_id'),
    type: word('wp:post_type'),
    status: word('wp:status'),
    title: text('title'),
    slug: word('wp:post_name'),
    link: word('link'),
    permanentLink: word('guid'),
    parentId: number('wp:post_parent'),
    order: number('wp:menu_order'),
    date: timeOf(word('wp:post_date_gmt')) ?? timeOf(word('wp:post_date')),
    content: text('content:encoded'),
    excerpt: text('excerpt:encoded'),
    restriction: word('wp:post_password') === '' ? undefined : 'password',
    fileUrl: word('wp:attachment_url'),
  };
}

/** Parses a time like `2011-01-18 08:06:21`; undefined for `0000-00-00 00:00:00`, which drafts have. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const time = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) || text.startsWith('0000') ? undefined : time;
}

/** The files of a site by their own ids, and by the ids of the pages with which they were uploaded. */
interface Files {
  readonly byId: ReadonlyMap<number, OldItem>;
  readonly byParent: ReadonlyMap<number, readonly OldItem[]>;
  /** The captions that have been read already: one file may be in any number of galleries. */
  readonly captions: Map<OldItem, string>;
  readonly growth: TextGrowth;
}

/** The most images in the galleries of a text: a text can repeat the short shortcode any number of times. */
const MAX_GALLERY_IMAGES = 2000;

/** Replaces shortcodes of galleries with their images: those that the shortcode names, or those uploaded with the page. */
function withGalleries({ id, content }: OldItem, { byId, byParent, captions, growth }: Files): string {
  if (!content.includes('[gallery')) return content;
  let room = MAX_GALLERY_IMAGES;
  return content.replace(/\[gallery(\s[^[\]]{0,1000})?\]/g, (shortcode, attributes: string = '') => {
    const ids = /\bids=["']?([\d,\s]{1,500})/.exec(attributes)?.[1]?.split(',').map(Number);
    const chosen = ids ? ids.flatMap((wanted) => byId.get(wanted) ?? []) : (byParent.get(id) ?? []);
    const images = chosen.length > room ? [] : chosen.filter(({ fileUrl }) => isImage(fileUrl));
    if (images.length === 0) return shortcode;
    const shown = images.map((file) => ({
      fileUrl: file.fileUrl,
      caption: captions.getOrInsertComputed(file, () => plainText(file.excerpt)),
    }));
    const added = shown.reduce((sum, { fileUrl, caption }) => sum + fileUrl.length + 2 * caption.length, 0);
    if (!growth.admits(added)) return shortcode;
    room -= images.length;
    const figures = shown.map(({ fileUrl, caption }) => {
      const image = `<img src="${escapeHtml(fileUrl)}" alt="${escapeHtml(caption)}">`;
      return `<figure>${image}${caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`}</figure>`;
    });
    return `\n\n${figures.join('\n')}\n\n`;
  });
}
