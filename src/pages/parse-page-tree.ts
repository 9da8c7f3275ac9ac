import type { Timestamp } from '../db/schema.ts';
import { AppError, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { parseTime } from '../parse-time.ts';
import { type PageValues, parseCreatePageInput } from './create-page-input.ts';
import { MAX_DEPTH } from './page.ts';
import { parsePageFields } from './page-fields.ts';
import { toUrlname } from './urlname.ts';

/** The most pages of one tree: a tree is written in one transaction, which blocks other changes. */
export const MAX_PAGES = 20_000;

/** A page of a tree that is to be imported. */
export interface TreePage extends Omit<PageValues, 'parentId' | 'bodyFormat'> {
  /** The page's place in the tree, such as `pages[3].children[0]`. */
  place: string;
  /** 1 for a page of the top list. */
  depth: number;
  /** The parent's index among the pages of the tree; null for a page of the top list. */
  parent: number | null;
  urlname: string;
  /** '' for a listed page that has no format; undefined for the format that the account has chosen. */
  bodyFormat: PageValues['bodyFormat'] | '';
  /** undefined for the time of the import. */
  customDate: Timestamp | undefined;
  /** The broken rules, named by the places of the fields. */
  failures: FieldError[];
}

/**
 * Parses a page tree in the form in which the API lists pages, and checks all rules of a creation that need no database. Each
 * page comes before its children. Fields that only the service decides, such as ids and URLs, are ignored.
 * @throws AppError `malformed` for any other document; ValidationError if there are too many pages
 */
export function parsePageTree(document: unknown): TreePage[] {
  const list = isObject(document) ? document.pages : undefined;
  if (!Array.isArray(list)) {
    throw new AppError('malformed', 'The document must be an object with a list "pages", as the list of pages is.');
  }
  const pages: TreePage[] = [];
  addPages(pages, list, { place: 'pages', depth: 1, parent: null });
  return pages;
}

function addPages(pages: TreePage[], list: readonly unknown[], at: Pick<TreePage, 'place' | 'depth' | 'parent'>): void {
  for (const [index, value] of list.entries()) {
    if (pages.length === MAX_PAGES) {
      throw new ValidationError([{ field: 'pages', code: 'too_many_pages', params: { max: MAX_PAGES } }]);
    }
    const place = `${at.place}[${index}]`;
    const page = parsePage(isObject(value) ? value : {}, { ...at, place });
    if (!isObject(value)) page.failures = [{ field: place, code: 'not_an_object' }];
    pages.push(page);
    // Reported only for the first level that is too deep: the pages below it are too deep as well.
    if (page.depth > MAX_DEPTH) page.failures.push({ field: place, code: 'too_deep' });
    else if (isObject(value)) addChildren(pages, value.children, page);
  }
}

function addChildren(pages: TreePage[], children: unknown, { place, depth, failures }: TreePage): void {
  const list = children ?? [];
  const at = { place: `${place}.children`, depth: depth + 1, parent: pages.length - 1 };
  if (Array.isArray(list)) addPages(pages, list, at);
  else failures.push({ field: at.place, code: 'not_a_list' });
}

function parsePage(value: Record<string, unknown>, at: Pick<TreePage, 'place' | 'depth' | 'parent'>): TreePage {
  const wrong: FieldError[] = [];
  const read = (field: string, accepts: readonly string[], code: 'not_a_text' | 'not_true_or_false') => {
    const given = value[field] ?? undefined;
    if (given === undefined) return undefined;
    if (accepts.includes(typeof given) && isExact(given)) return String(given);
    wrong.push({ field, code });
    return undefined;
  };
  const text = (field: string, accepts = ['string', 'number']) => read(field, accepts, 'not_a_text');
  const flag = (field: string) => read(field, ['string', 'number', 'boolean'], 'not_true_or_false');
  const bodyFormat = text('body_format', ['string']);
  const { values, failures } = parseCreatePageInput({
    name: text('name'),
    body: text('body'),
    description: text('description'),
    isHidden: flag('is_hidden'),
    isPublished: flag('is_published'),
    bodyFormat,
    parentId: undefined,
  });
  const [urlname, customDate] = [text('urlname'), text('custom_date', ['string'])];
  const date = customDate === undefined ? undefined : parseTime(customDate);
  failures.push(...parsePageFields({ urlname, customDate: date }).failures);
  const isWrong = new Set(wrong.map(({ field }) => field));
  const all = [...wrong, ...failures.filter(({ field }) => !isWrong.has(field))];
  return {
    ...at,
    name: values.name,
    body: values.body,
    description: values.description,
    isHidden: values.isHidden,
    status: values.status,
    // The name of a refused page may be of any length, so no urlname is made from it.
    urlname: all.length > 0 ? '' : toUrlname(urlname?.trim() ? urlname : values.name),
    bodyFormat: bodyFormat?.trim() === '' ? '' : values.bodyFormat,
    customDate: date,
    failures: all.map((failure) => ({ ...failure, field: `${at.place}.${failure.field}` })),
  };
}

/** True if the value can be stored exactly: half a surrogate pair, or a number with too many digits, cannot. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
