import { type Html, html, nothing } from '../markup.ts';
import { SEARCH_PATH } from '../page-path.ts';
import type { Strings } from '../strings.ts';
import type { NavigationItem, PageView } from '../view.ts';

/** A site with fewer pages is seen at a glance. */
const MIN_SEARCHED_PAGES = 4;

/** Returns the search form for a page's header or footer; nothing where the site is small, or the page has one itself. */
export function pageSearch(view: PageView, strings: Strings): Html {
  return view.kind === 'page' && isWorthSearching(view) ? searchForm(strings) : nothing;
}

/** Tells whether there is more than a few pages to find. */
export function isWorthSearching({ navigation, navigationHasMore }: PageView): boolean {
  return navigationHasMore || count(navigation) >= MIN_SEARCHED_PAGES;
}

/** A form that works without a script. */
export function searchForm(strings: Strings, text = ''): Html {
  return html`<form class="search-form" role="search" action="${SEARCH_PATH}">
<input type="search" name="q" aria-label="${strings.search}" value="${text}" maxlength="200" required>
<button type="submit">${strings.search}</button>
</form>`;
}

function count(items: readonly NavigationItem[]): number {
  return items.reduce((sum, { children }) => sum + 1 + count(children), 0);
}
