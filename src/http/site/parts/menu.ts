import { type Html, html, nothing } from '../markup.ts';
import { ALL_PAGES } from '../page-path.ts';
import type { Strings } from '../strings.ts';
import type { NavigationItem, PageView } from '../view.ts';

/**
 * Returns the menu: the root pages, with the pages below each behind a button. The button is a `details` element, so that it
 * opens by mouse, touch and keyboard without a script. Only one is open at a time.
 *
 * The menu button opens the same list as a popover. The browser closes it on Escape and on a touch outside, and tells
 * assistive technology whether it is open. If the names fit into one line of the header, themes show the list there instead
 * of the button. The ruler holds the names in such a line, invisibly: if it overflows, the style sheet folds the menu.
 */
export function menu(view: PageView, strings: Strings): Html {
  const { navigation, navigationHasMore } = view;
  const measured = navigationHasMore ? [...navigation, { name: strings.allPages, children: [] }] : navigation;
  return html`<div class="folding"><span class="ruler" aria-hidden="true">${measured.map(
    ({ name, children }) => html`<i${children.length > 0 && html` class="parent"`} data-name="${name}"></i>`,
  )}</span>
<button class="menu-button" type="button" popovertarget="menu">${strings.menu}</button>
<nav class="menu" id="menu" aria-label="${strings.mainNavigation}" popover>
<button class="menu-close" type="button" popovertarget="menu" popovertargetaction="hide">${strings.close}</button>
<ul>
${navigation.map((item) => menuItem(item, strings))}${allPages(view, strings)}</ul>
</nav></div>`;
}

function menuItem(item: NavigationItem, strings: Strings): Html {
  if (item.children.length === 0) return html`<li>${navigationLink(item)}</li>\n`;
  return html`<li class="parent">${navigationLink(item)}
<details name="menu">
<summary aria-label="${strings.pagesIn(item.name)}"></summary>
<ul>
${item.children.map((child) => html`<li>${navigationLink(child)}</li>\n`)}${
  item.hasMore && html`<li><a class="more" href="${item.path}">${strings.allOf(item.name)}</a></li>\n`
}</ul>
</details></li>
`;
}

/** Returns a link to the list of all root pages, if the menu does not have them all. */
export function allPages({ navigationHasMore, path }: PageView, strings: Strings): Html {
  if (!navigationHasMore) return nothing;
  const isCurrent = path.split('?')[0] === ALL_PAGES;
  const link = { name: strings.allPages, path: ALL_PAGES, isCurrent, isAncestor: false, children: [], hasMore: false };
  return html`<li>${navigationLink(link)}</li>\n`;
}

/** Returns a link that is marked if it leads to the current page or one of its ancestors. */
export function navigationLink({ name, path, isCurrent, isAncestor }: NavigationItem): Html {
  const current = isCurrent ? html` aria-current="page"` : isAncestor && html` aria-current="true"`;
  return html`<a href="${path}"${current}>${name}</a>`;
}
