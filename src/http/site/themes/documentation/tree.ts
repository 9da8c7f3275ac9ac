import { type Html, html } from '../../markup.ts';
import { allPages, navigationLink } from '../../parts/menu.ts';
import { pageSearch } from '../../parts/search-form.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';

/** A handbook of up to this many pages shows all of them. A larger one shows only the branch of the current page. */
const MAX_PAGES_SHOWN = 32;

/**
 * Returns the tree of pages. Branches are `details`, open if the current page is inside. On wide screens the style sheet
 * shows the tree at the side. On others it is a popover, which the browser opens and closes without a script.
 */
export function tree(view: PageView, strings: Strings): Html {
  const { navigation, navigationHasMore } = view;
  const isSmall = count(navigation) <= MAX_PAGES_SHOWN && !navigationHasMore;
  return html`<button class="menu-button" type="button" popovertarget="menu">${strings.menu}</button>
<nav class="tree" id="menu" aria-label="${strings.mainNavigation}" popover>
<button class="menu-close" type="button" popovertarget="menu" popovertargetaction="hide">${strings.close}</button>
${pageSearch(view, strings)}
<ul>
${navigation.map((item) => branch(item, isSmall, strings))}${allPages(view, strings)}</ul>
</nav>`;
}

function branch(item: NavigationItem, isOpen: boolean, strings: Strings): Html {
  if (item.children.length === 0) return html`<li>${navigationLink(item)}</li>\n`;
  const open = (isOpen || item.isCurrent || item.isAncestor) && html` open`;
  const more = item.hasMore && html`<li><a href="${item.path}">${strings.allOf(item.name)}</a></li>\n`;
  return html`<li>${navigationLink(item)}
<details${open}>
<summary aria-label="${strings.pagesIn(item.name)}"></summary>
<ul>
${item.children.map((child) => branch(child, isOpen, strings))}${more}</ul>
</details></li>
`;
}

function count(items: readonly NavigationItem[]): number {
  return items.reduce((sum, { children }) => sum + 1 + count(children), 0);
}
