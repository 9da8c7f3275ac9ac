import { type Html, html, nothing } from '../../markup.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';

/** The most sub-pages listed for a chapter. */
const MAX_NAMED_PAGES = 6;

/** Returns the chapters of the handbook with their first pages, for the end of the home page. */
export function chapters({ site, navigation }: PageView, strings: Strings): Html {
  const items = navigation.filter(({ isCurrent }) => !isCurrent);
  if (items.length === 0) return nothing;
  return html`<nav class="sub-pages chapters" aria-labelledby="chapters">
<h2 id="chapters">${strings.pagesIn(site.name)}</h2>
<ul>
${items.map((item) => chapter(item, strings))}</ul>
</nav>`;
}

function chapter(item: NavigationItem, strings: Strings): Html {
  const heading = html`<h3><a href="${item.path}">${item.name}</a></h3>`;
  if (item.children.length === 0) return html`<li>${heading}</li>\n`;
  const named = item.children.slice(0, MAX_NAMED_PAGES);
  const more =
    (item.hasMore || named.length < item.children.length) &&
    html`<li><a href="${item.path}">${strings.allOf(item.name)}</a></li>\n`;
  return html`<li>${heading}
<ul>
${named.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}${more}</ul></li>
`;
}
