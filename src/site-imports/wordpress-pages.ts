import { DomUtils, parseDocument } from 'htmlparser2';
import { escapeHtml } from '../html.ts';
import { toUrlname } from '../pages/urlname.ts';
import { isImage, OldAddresses, pathOf } from './old-addresses.ts';
import type { WordPressExport, WordPressItem } from './read-wordpress-export.ts';
import { ImportNotes, type PageToImport, type SiteToImport } from './site-to-import.ts';
import { wordPressHtml } from './wordpress-html.ts';

/** Longer titles are cut off: names are for menus. */
const MAX_NAME_CHARACTERS = 200;

interface WordPressOptions {
  /** The name of the page below which the posts of the blog come. */
  readonly blogName: string;
}

/** A page that is still to be put in order. */
interface Draft {
  readonly item: WordPressItem | undefined;
  readonly name: string;
  readonly children: Draft[];
}

/**
 * Returns the pages of a WordPress site in their tree, and its posts below a page of their own, the latest first. Menus, comments,
 * categories and the things of plugins have no counterpart here.
 */
export function wordPressPages({ siteUrl, items }: WordPressExport, { blogName }: WordPressOptions): SiteToImport {
  const notes = new ImportNotes();
  const pages: WordPressItem[] = [];
  const posts: WordPressItem[] = [];
  for (const item of items) {
    if (item.type === 'page' || item.type === 'post') {
      if (item.status === 'trash') notes.add('in_trash', item.type, nameOf(item));
      else if (item.status !== 'auto-draft' && item.status !== 'inherit')
        (item.type === 'page' ? pages : posts).push(item);
    } else if (!silentTypes.has(item.type)) notes.add('not_imported_type', item.type);
  }
  const roots = treeOf(pages);
  if (posts.length > 0) {
    const children = posts.sort((a, b) => (b.date ?? Infinity) - (a.date ?? Infinity));
    roots.push({
      item: undefined,
      name: blogName,
      children: children.map((item) => ({ item, name: nameOf(item), children: [] })),
    });
  }
  const inOrder: { draft: Draft; parent: number | undefined }[] = [];
  const list = (drafts: readonly Draft[], parent: number | undefined) => {
    for (const draft of drafts) {
      const index = inOrder.push({ draft, parent }) - 1;
      list(draft.children, index);
    }
  };
  list(roots, undefined);
  const files = items.filter(({ type, fileUrl }) => type === 'attachment' && fileUrl !== '');
  const places = inOrder.map(({ draft }) => draft.item);
  const addresses = new OldAddresses(siteUrl, { pages: places, files });
  const made = inOrder.map(({ draft, parent }) => pageOf(draft, parent, { addresses, files, notes }));
  return { pages: made, images: addresses.images, notes: notes.list() };
}

/** What WordPress exports beside contents. */
const silentTypes: ReadonlySet<string> = new Set([
  ...['', 'attachment', 'nav_menu_item', 'revision', 'wp_navigation', 'wp_global_styles', 'wp_template'],
  ...['wp_template_part', 'custom_css', 'customize_changeset', 'oembed_cache', 'wp_font_family', 'wp_font_face'],
]);

/** Pages whose parent is missing, or whose ancestors form a circle, become root pages. */
function treeOf(pages: readonly WordPressItem[]): Draft[] {
  const drafts = new Map(pages.map((item): [number, Draft] => [item.id, { item, name: nameOf(item), children: [] }]));
  const roots: Draft[] = [];
  const sorted = [...drafts.values()].sort((a, b) => a.item!.order - b.item!.order || (a.name < b.name ? -1 : 1));
  const parentOf = (draft: Draft) => drafts.get(draft.item!.parentId);
  for (const draft of sorted) {
    const seen = new Set<Draft>([draft]);
    let above = parentOf(draft);
    while (above && !seen.has(above)) {
      seen.add(above);
      above = parentOf(above);
    }
    (above ? roots : (parentOf(draft)?.children ?? roots)).push(draft);
  }
  return roots;
}

interface Surroundings {
  readonly addresses: OldAddresses;
  readonly files: readonly WordPressItem[];
  readonly notes: ImportNotes;
}

function pageOf(
  { item, name }: Draft,
  parent: number | undefined,
  { addresses, files, notes }: Surroundings,
): PageToImport {
  if (!item) {
    return {
      ...{ parent, name, urlname: toUrlname(name), body: '', description: null, status: 'published' },
      ...{ date: undefined, formerPath: undefined },
    };
  }
  const body = wordPressHtml(withGalleries(item, files), {
    linkTo: (href) => addresses.linkTo(href, item.link, (address) => notes.add('old_link', address, name)),
    imageAt: (src) => addresses.imageAt(src, item.link),
    note: (code, value) => notes.add(code, value, name),
  });
  if (item.hasPassword) notes.add('password', '', name);
  const isPublished = item.status === 'publish' && !item.hasPassword;
  const excerpt = plainText(item.excerpt);
  return {
    parent,
    name,
    urlname: toUrlname(decoded(item.slug) || name),
    body,
    description: excerpt === '' ? null : excerpt,
    status: isPublished ? 'published' : 'unpublished',
    date: item.date,
    formerPath: isPublished ? pathOf(item.link) : undefined,
  };
}

/** Puts the images of galleries where their shortcodes stand: those that it names, or those that were uploaded with the page. */
function withGalleries({ id, content }: WordPressItem, files: readonly WordPressItem[]): string {
  if (!content.includes('[gallery')) return content;
  return content.replace(/\[gallery(\s[^[\]]{0,1000})?\]/g, (shortcode, attributes: string = '') => {
    const ids = /\bids=["']?([\d,\s]{1,500})/.exec(attributes)?.[1]?.split(',').map(Number);
    const chosen = ids
      ? ids.flatMap((wanted) => files.find((file) => file.id === wanted) ?? [])
      : files.filter(({ parentId }) => parentId === id);
    const images = chosen.filter(({ fileUrl }) => isImage(fileUrl));
    if (images.length === 0) return shortcode;
    const figures = images.map(({ fileUrl, excerpt }) => {
      const caption = plainText(excerpt);
      const image = `<img src="${escapeHtml(fileUrl)}" alt="${escapeHtml(caption)}">`;
      return `<figure>${image}${caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`}</figure>`;
    });
    return `\n\n${figures.join('\n')}\n\n`;
  });
}

function nameOf({ title, slug, id }: WordPressItem): string {
  const name = plainText(title);
  const base = name === '' ? decoded(slug) || `Untitled ${id}` : name;
  return [...base].slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

/** Returns the text of a piece of HTML on one line. */
function plainText(html: string): string {
  return DomUtils.textContent(parseDocument(html)).replace(/\s+/g, ' ').trim();
}

/** Slugs of other scripts than the Latin one are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
