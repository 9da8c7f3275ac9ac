/**
 * Returns the canonical form of a path: lower case, without doubled or trailing slashes or needless percent-encoding.
 * Undefined for a path that nothing on a site can have.
 */
export function canonicalPath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const plain = path
    .replace(/%([2-7][\da-f])/gi, (encoded, code) => {
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return /[\w.~-]/.test(character) ? character : encoded;
    })
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '');
  // A Location must be a path of ours: no backslash, and no dots that lead elsewhere.
  return PATH.test(plain) ? plain : undefined;
}

/** The path of the list of all root pages. No page has it: urlnames have no dots. */
export const ALL_PAGES = '/pages.html';

/** The path of searches. */
export const SEARCH_PATH = '/search.html';

/** The longest urlnames on 30 levels, percent-encoded. */
const MAX_PATH_CHARACTERS = 20_000;

/** Of pages; and of files such as `/sitemap-2.xml`, and assets. */
const PATH = /^\/(?:(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z0-9]+)*)?$/;

/**
 * Which part of a list of sub-pages a query asks for: 1 where it asks for none, undefined where its `page` is no number
 * that a part could have. What else a query says, others added to count visitors.
 */
export function partOf(query: string): number | undefined {
  if (query === '') return 1;
  const wanted = /(?:^|&)page=([^&]*)/.exec(query);
  if (!wanted) return 1;
  return /^[1-9]\d{0,6}$/.test(wanted[1]!) ? Number(wanted[1]) : undefined;
}

/** The query without `page`, for addresses that need none. */
export function withoutPart(query: string): string {
  return query
    .split('&')
    .filter((pair) => !pair.startsWith('page='))
    .join('&');
}

/** A path with its part: the first part is the page itself. */
export function pathOfPart(path: string, part: number): string {
  return part === 1 ? path : `${path}?page=${part}`;
}
