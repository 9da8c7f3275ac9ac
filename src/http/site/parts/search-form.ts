import { type Html, html, nothing } from '../markup.ts';
import { SEARCH_PATH } from '../page-path.ts';
import type { Strings } from '../strings.ts';
import type { NavigationItem, PageView } from '../view.ts';

/** Sites with fewer pages get no search form: they can be taken in at a glance. */
const MIN_SEARCHED_PAGES = 4;

/** Returns the search form for a page's header or footer, or nothing if the site is small or the page has a form itself. */
export function pageSearch(view: PageView, strings: Strings): Html {
  return view.kind === 'page' && isWorthSearching(view) ? searchForm(strings) : nothing;
}

/** Returns whether the site has enough pages for a search. */
export function isWorthSearching({ navigation, navigationHasMore }: PageView): boolean {
  return navigationHasMore || count(navigation) >= MIN_SEARCHED_PAGES;
}

/** Returns the search form. It works without a script. */
export function searchForm(strings: Strings, text = ''): Html {
  return html`<form class="search-form" role="search" action="${SEARCH_PATH}">
<input type="search" name="q" aria-label="${strings.search}" value="${text}" maxlength="200" required>
<button type="submit">${strings.search}</button>
</form>`;
}

function count(items: readonly NavigationItem[]): number {
  return items.reduce((sum, { children }) => sum + 1 + count(children), 0);
}
