import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { MAX_PAGES, parsePageTree, type TreePage } from '../pages/parse-page-tree.ts';
import { readFrontMatter } from './front-matter.ts';

/** A page that a file or a folder becomes. */
interface Node {
  /** The path of the file; for a folder without a file of its own, the folder's path with a slash. */
  place: string;
  /** The name of the file or folder, by which siblings are sorted. */
  key: string;
  text: string | undefined;
  children: Map<string, Node>;
}

/** A page in the form in which the API lists pages, with the values by which siblings are sorted. */
interface Page {
  place: string;
  key: string;
  position: number | undefined;
  fields: Record<string, unknown>;
  children: Page[];
}

/**
 * Builds a page tree from the texts of an archive. A folder is a page, with its files below it. The text of a folder's page
 * is `index.md` in the folder, or the file beside the folder with the same name. The places of the pages are the paths of
 * their files.
 * @throws ValidationError for two files of one page; the errors of `parsePageTree`
 */
export function archivePages(texts: ReadonlyMap<string, string>): TreePage[] {
  const failures: FieldError[] = [];
  const root: Node = { place: '', key: '', text: undefined, children: new Map() };
  const nodeAt = nodeFinder(root);
  for (const [path, text] of texts) {
    const node = nodeAt(path);
    if (node.text !== undefined) failures.push({ field: path, code: 'duplicate_file' });
    node.place = path;
    node.text = text;
  }
  if (failures.length > 0) throw new ValidationError(failures);
  const pages = pagesOf(root);
  const files = new Map<string, string>();
  const document = { pages: documentOf(pages, 'pages', files) };
  return parsePageTree(document).map((page) => atPlace(page, files.get(page.place)!));
}

/** Returns a function that returns the page of a file, and creates missing pages for it and the folders above it. */
function nodeFinder(root: Node): (path: string) => Node {
  let count = 0;
  const make = (place: string, key: string): Node => {
    count += 1;
    if (count > MAX_PAGES) {
      throw new ValidationError([{ field: 'archive', code: 'too_many_pages', params: { max: MAX_PAGES } }]);
    }
    return { place, key, text: undefined, children: new Map() };
  };
  return (path) => {
    const folders = path.split('/');
    const file = withoutExtension(folders.pop()!);
    const isIndex = folders.length > 0 && /^_?index$/i.test(file);
    let node = root;
    for (const [index, key] of (isIndex ? folders : [...folders, file]).entries()) {
      const place = `${folders.slice(0, index + 1).join('/')}/`;
      node = node.children.getOrInsertComputed(key, () => make(place, key));
    }
    return node;
  };
}

function withoutExtension(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** Returns the pages below a node in order: first by their positions, then those without a position by their names. */
function pagesOf(node: Node): Page[] {
  const pages = [...node.children.values()].map(pageOf);
  const last = Number.POSITIVE_INFINITY;
  return pages.sort((a, b) => {
    const [one, other] = [a.position ?? last, b.position ?? last];
    if (one !== other) return one - other;
    return inOrder.compare(a.key, b.key) || (a.key < b.key ? -1 : 1);
  });
}

/** Compares names with their numbers: `2-prices` comes before `10-contact`. */
const inOrder = new Intl.Collator('en', { numeric: true });

function pageOf(node: Node): Page {
  const { place, key, text = '' } = node;
  const isHtml = /\.html?$/i.test(place);
  const { values, body } = readFrontMatter(text);
  // A number at the beginning only sets the order of files.
  const base = isHome(place) ? 'home' : key.replace(/^\d+[-_. ]+(?=.)/, '');
  const title = values.get('name') ?? values.get('title') ?? (isHtml ? titleOf(body) : undefined);
  const isDraft = values.get('draft') === 'true' ? 'false' : undefined;
  const position = Number(values.get('position') ?? values.get('weight') ?? (isHome(place) ? 0 : Number.NaN));
  return {
    place,
    key,
    position: Number.isFinite(position) ? position : undefined,
    fields: {
      name: title ?? nameOf(base),
      urlname: values.get('urlname') ?? values.get('slug') ?? base,
      body: isHtml ? insideBody(body) : body,
      body_format: isHtml ? 'wysiwyg_format' : 'markdown_format',
      description: values.get('description'),
      is_hidden: values.get('hidden'),
      is_published: values.get('published') ?? isDraft,
      custom_date: dateOf(values.get('date')),
    },
    children: pagesOf(node),
  };
}

/** True if the file is the index of the archive itself, and not of a folder in it. */
function isHome(place: string): boolean {
  return /^_?index\.\w+$/i.test(place);
}

/** Returns the pages in the form in which the API lists them, and records in `files` the file of each place. */
function documentOf(pages: readonly Page[], list: string, files: Map<string, string>): object[] {
  return pages.map(({ place, fields, children }, index) => {
    const at = `${list}[${index}]`;
    files.set(at, place);
    return { ...fields, children: documentOf(children, `${at}.children`, files) };
  });
}

/** The fields with another key in front matter. */
const keys: Readonly<Record<string, string>> = { is_hidden: 'hidden', is_published: 'published', custom_date: 'date' };

/** Renames the page's place and failures after the file that the page comes from, and the keys in the file. */
function atPlace(page: TreePage, place: string): TreePage {
  const failures = page.failures.map((failure) => {
    const field = failure.field.slice(page.place.length + 1);
    return { ...failure, field: field === '' ? place : `${place}.${keys[field] ?? field}` };
  });
  return { ...page, place, failures };
}

/** Returns the name for a file: `opening-hours` becomes `Opening hours`. */
function nameOf(base: string): string {
  const words = base.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the date; a date without a time gets midnight. */
function dateOf(date: string | undefined): string | undefined {
  return date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00:00Z` : date;
}

/** Returns the contents of a document's `body`; the whole text if it has none. */
function insideBody(html: string): string {
  const start = /<body[\s>]/i.exec(html);
  if (!start) return html;
  const inside = html.slice(html.indexOf('>', start.index) + 1);
  const end = inside.toLowerCase().lastIndexOf('</body');
  return (end < 0 ? inside : inside.slice(0, end)).trim();
}

function titleOf(html: string): string | undefined {
  const start = /<title>/i.exec(html);
  const end = start ? html.indexOf('<', start.index + start[0].length) : -1;
  if (!start || end < 0) return undefined;
  return html.slice(start.index + start[0].length, end).trim() || undefined;
}
