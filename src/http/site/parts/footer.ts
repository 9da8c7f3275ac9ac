import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** Returns links to the root pages, for readers at the end of a page, or nothing if there are fewer than two. */
export function footerLinks({ navigation }: PageView): Html {
  if (navigation.length < 2) return nothing;
  // Not a `nav`, because the menu is already a landmark with these links. A second one would only be in the way of users who
  // jump between landmarks.
  return html`<ul class="footer-links">
${navigation.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}</ul>`;
}

/** Returns links to the feed and to the top of the page. */
export function footerTools(strings: Strings): Html {
  return html`<p class="footer-tools"><a href="/feed.xml">${strings.feed}</a> <a href="#top">${strings.toTop}</a></p>`;
}
