import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** Returns links to the root pages for readers at the end; nothing if there are fewer than two. */
export function footerLinks({ navigation }: PageView): Html {
  if (navigation.length < 2) return nothing;
  // The menu is the landmark: a second one of the same links would only be in the way of who jumps between them.
  return html`<ul class="footer-links">
${navigation.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}</ul>`;
}

/** Back to the top, and the feed. */
export function footerTools(strings: Strings): Html {
  return html`<p class="footer-tools"><a href="/feed.xml">${strings.feed}</a> <a href="#top">${strings.toTop}</a></p>`;
}
