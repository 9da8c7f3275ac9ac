/** The path of the list of all root pages. No page has it: urlnames have no dots. */
export const ALL_PAGES = '/pages.html';

/** The path of searches. */
export const SEARCH_PATH = '/search.html';

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
