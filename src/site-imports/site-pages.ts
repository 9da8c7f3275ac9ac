import { ValidationError } from '../errors.ts';
import { isPageDate } from '../pages/page-fields.ts';
import { toUrlname } from '../pages/urlname.ts';
import { TextGrowth } from '../text-growth.ts';
import { OldAddresses } from './old-addresses.ts';
import { isFile, type OldItem, type OldSite } from './old-site.ts';
import { plainText } from './plain-text.ts';
import { ImportNotes, type PageToImport, type SiteToImport } from './site-to-import.ts';

/** The length to which titles are cut, since names appear in menus. */
const MAX_NAME_CHARACTERS = 200;

interface SitePagesOptions {
  /** The name of the page below which the posts of the blog are put. */
  readonly blogName: string;
  /** The most pages; undefined for any number. */
  readonly maxPages?: number;
}

/** A page before it has its place in the order of pages. */
interface Draft {
  readonly item: OldItem | undefined;
  readonly name: string;
  readonly children: Draft[];
}

/**
 * Returns the pages of a site as a tree, with its posts below a page of their own, the latest first. Menus, comments,
 * categories, members and the items of plugins have no counterpart here, and are left out.
 * @throws ValidationError if there are too many pages
 */
export function sitePages(
  site: OldSite,
  { blogName, maxPages: max = Number.POSITIVE_INFINITY }: SitePagesOptions,
): SiteToImport {
  const { siteUrl, items } = site;
  const notes = new ImportNotes();
  const pages: OldItem[] = [];
  const posts: OldItem[] = [];
  for (const item of items) {
    if (item.type === 'page' || item.type === 'post') {
      if (item.status === 'trash') notes.add('in_trash', item.type, nameOf(item));
      else if (item.status !== 'auto-draft' && item.status !== 'inherit')
        (item.type === 'page' ? pages : posts).push(item);
    } else if (!silentTypes.has(item.type)) notes.add('not_imported_type', item.type);
  }
  // Checked before the addresses are read: if the site's address is long, each takes kilobytes.
  if (pages.length + posts.length + Math.sign(posts.length) > max) {
    throw new ValidationError([{ field: 'pages', code: 'too_many_pages', params: { max } }]);
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
  // The stack has the next page last. A recursive function would overflow with a chain of thousands.
  const stack = roots.toReversed().map((draft): (typeof inOrder)[number] => ({ draft, parent: undefined }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const parent = inOrder.push(next) - 1;
    for (const draft of next.draft.children.toReversed()) stack.push({ draft, parent });
  }
  const places = inOrder.map(({ draft }) => draft.item);
  const addresses = new OldAddresses(siteUrl, { pages: places, files: items.filter(isFile) });
  const surroundings = { site, addresses, notes, growth: new TextGrowth() };
  const pagesToImport = inOrder.map(({ draft, parent }) => pageOf(draft, parent, surroundings));
  return { pages: pagesToImport, postCount: posts.length, images: addresses.images, notes: notes.list() };
}

/** Types of items that exports have beside contents, and that are left out without a note. */
const silentTypes: ReadonlySet<string> = new Set([
  ...['', 'attachment', 'nav_menu_item', 'revision', 'wp_navigation', 'wp_global_styles', 'wp_template'],
  ...['wp_template_part', 'custom_css', 'customize_changeset', 'oembed_cache', 'wp_font_family', 'wp_font_face'],
]);

/** Builds the tree. Pages whose parent is missing, or whose ancestors form a cycle, become root pages. */
function treeOf(pages: readonly OldItem[]): Draft[] {
  const drafts = new Map(pages.map((item): [number, Draft] => [item.id, { item, name: nameOf(item), children: [] }]));
  const roots: Draft[] = [];
  const sorted = [...drafts.values()].sort((a, b) => a.item!.order - b.item!.order || (a.name < b.name ? -1 : 1));
  const parentOf = (draft: Draft) => drafts.get(draft.item!.parentId);
  /** For the pages seen so far, whether their ancestors form a cycle. */
  const inCircle = new Map<Draft, boolean>();
  for (const draft of sorted) {
    const chain = new Set<Draft>();
    let above: Draft | undefined = draft;
    for (; above && !chain.has(above) && !inCircle.has(above); above = parentOf(above)) chain.add(above);
    const isCircle = above !== undefined && (inCircle.get(above) ?? true);
    for (const one of chain) inCircle.set(one, isCircle);
    (inCircle.get(draft) ? roots : (parentOf(draft)?.children ?? roots)).push(draft);
  }
  return roots;
}

interface Surroundings {
  readonly addresses: OldAddresses;
  readonly site: OldSite;
  readonly notes: ImportNotes;
  readonly growth: TextGrowth;
}

function pageOf(
  { item, name }: Draft,
  parent: number | undefined,
  { site, addresses, notes, growth }: Surroundings,
): PageToImport {
  if (!item) {
    return {
      parent,
      name,
      urlname: toUrlname(name),
      body: '',
      description: null,
      status: 'published',
      date: undefined,
      formerPaths: [],
    };
  }
  const body = site.htmlOf(item, {
    linkTo: (href) => {
      const address = addresses.linkTo(href, item.link, (old) => notes.add('old_link', old, name));
      return growth.admits(address.length - href.length) ? address : href;
    },
    imageAt: (src) => addresses.imageAt(src, item.link),
    note: (code, value) => notes.add(code, value, name),
  });
  if (item.restriction) notes.add(item.restriction, '', name);
  const isPublished = item.status === 'publish' && !item.restriction;
  const excerpt = plainText(item.excerpt);
  return {
    parent,
    name,
    urlname: toUrlname(decoded(item.slug) || name),
    body,
    description: excerpt === '' ? null : excerpt,
    status: isPublished ? 'published' : 'unpublished',
    date: item.date !== undefined && isPageDate(item.date) ? item.date : undefined,
    formerPaths: isPublished ? addresses.formerPaths(item) : [],
  };
}

function nameOf({ title, slug, id }: OldItem): string {
  const name = plainText(title);
  const base = name === '' ? decoded(slug) || `Untitled ${id}` : name;
  return [...base].slice(0, MAX_NAME_CHARACTERS).join('').trim();
}

/** Decodes a slug. Slugs in scripts other than Latin are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
