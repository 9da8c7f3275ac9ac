import { type Html, html } from '../../markup.ts';
import { allPages, navigationLink } from '../../parts/menu.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';

/**
 * Returns the root pages in a line, which the style sheet hides if they do not fit, and a button that opens the index. The
 * index is a popover with all pages, which the browser opens and closes without a script.
 */
export function index(view: PageView, strings: Strings): Html {
  const { navigation } = view;
  const isFlat = navigation.every(({ children }) => children.length === 0);
  return html`<nav class="main${isFlat && ' flat'}" aria-label="${strings.mainNavigation}">
<ul class="roots">
${navigation.map((item) => html`<li>${navigationLink(item)}</li>\n`)}</ul>
<button class="menu-button" type="button" popovertarget="menu">${strings.menu}</button>
<div class="index" id="menu" popover>
<button class="menu-close" type="button" popovertarget="menu" popovertargetaction="hide">${strings.close}</button>
<ul>
${navigation.map((item) => entry(item, strings))}${allPages(view, strings)}</ul>
</div>
</nav>`;
}

function entry(item: NavigationItem, strings: Strings): Html {
  if (item.children.length === 0) return html`<li>${navigationLink(item)}</li>\n`;
  const more = item.hasMore && html`<li><a href="${item.path}">${strings.allOf(item.name)}</a></li>\n`;
  return html`<li>${navigationLink(item)}
<ul>
${item.children.map((child) => html`<li>${navigationLink(child)}</li>\n`)}${more}</ul></li>
`;
}
