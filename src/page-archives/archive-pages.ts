import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { MAX_PAGES, readPageTree, type TreePage } from '../pages/read-page-tree.ts';
import { readFrontMatter } from './front-matter.ts';

/** A page that a file or a folder makes. */
interface Node {
  /** The path of the file; that of the folder, with a slash, for a folder without a page of its own. */
  place: string;
  /** The name of the file or folder, by which it stands among its siblings. */
  key: string;
  text: string | undefined;
  children: Map<string, Node>;
}

/** A page as the list of pages has it, and where it stands among its siblings. */
interface Page {
  place: string;
  key: string;
  position: number | undefined;
  fields: Record<string, unknown>;
  children: Page[];
}

/**
 * Makes a page tree of the texts of an archive. A folder is a page, and its files are below it. The text of a folder's page is
 * `index.md` in it, or the file beside it that has its name. The places of the pages are the paths of their files.
 * @throws ValidationError for two files of one page; as `readPageTree` does
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
  return readPageTree(document).map((page) => atPlace(page, files.get(page.place)!));
}

/** Returns what finds the page of a file, and makes it with those of the folders above it. */
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

/** Returns the pages below a node in their order: by their positions, and those without one after them by their names. */
function pagesOf(node: Node): Page[] {
  const pages = [...node.children.values()].map(pageOf);
  const last = Number.POSITIVE_INFINITY;
  return pages.sort((a, b) => {
    const [one, other] = [a.position ?? last, b.position ?? last];
    if (one !== other) return one - other;
    return inOrder.compare(a.key, b.key) || (a.key < b.key ? -1 : 1);
  });
}

/** `2-prices` comes before `10-contact`. */
const inOrder = new Intl.Collator('en', { numeric: true });

function pageOf(node: Node): Page {
  const { place, key, text = '' } = node;
  const isHtml = /\.html?$/i.test(place);
  const { values, body } = readFrontMatter(text);
  // The number only puts files in order.
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

/** Whether it is the index of the archive itself, and not of a folder in it. */
function isHome(place: string): boolean {
  return /^_?index\.\w+$/i.test(place);
}

/** Notes in `files` which file is at which place of the document. */
function documentOf(pages: readonly Page[], list: string, files: Map<string, string>): object[] {
  return pages.map(({ place, fields, children }, index) => {
    const at = `${list}[${index}]`;
    files.set(at, place);
    return { ...fields, children: documentOf(children, `${at}.children`, files) };
  });
}

/** The fields whose keys in front matter have other names. */
const keys: Readonly<Record<string, string>> = { is_hidden: 'hidden', is_published: 'published', custom_date: 'date' };

/** Names the page and its failures by the file that it is made of, and by the keys in it. */
function atPlace(page: TreePage, place: string): TreePage {
  const failures = page.failures.map((failure) => {
    const field = failure.field.slice(page.place.length + 1);
    return { ...failure, field: field === '' ? place : `${place}.${keys[field] ?? field}` };
  });
  return { ...page, place, failures };
}

/** `opening-hours` → `Opening hours` */
function nameOf(base: string): string {
  const words = base.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A day alone begins at midnight. */
function dateOf(date: string | undefined): string | undefined {
  return date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T00:00:00Z` : date;
}

/** Returns the contents of the `body` of a document; all of a text that is none. */
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
