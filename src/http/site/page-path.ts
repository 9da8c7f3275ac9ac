/** The path of the list of all root pages. No page can have it, because urlnames have no dots. */
export const ALL_PAGES = '/pages.html';

/** The path of searches. */
export const SEARCH_PATH = '/search.html';

/**
 * Returns the part of a list of sub-pages that a query requests: 1 by default, or undefined if `page` is not a possible
 * number. Other parameters are ignored: they come from visitor tracking.
 */
export function partOf(query: string): number | undefined {
  if (query === '') return 1;
  const wanted = /(?:^|&)page=([^&]*)/.exec(query);
  if (!wanted) return 1;
  return /^[1-9]\d{0,6}$/.test(wanted[1]!) ? Number(wanted[1]) : undefined;
}

/** Returns the query without `page`. */
export function withoutPart(query: string): string {
  return query
    .split('&')
    .filter((pair) => !pair.startsWith('page='))
    .join('&');
}

/** Returns the path of one part of a page's list. The first part is the page itself. */
export function pathOfPart(path: string, part: number): string {
  return part === 1 ? path : `${path}?page=${part}`;
}
