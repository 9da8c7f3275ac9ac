import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** Returns links to the second-level headings of a page, or nothing if there are fewer than three. */
export function contents({ headings }: PageView, strings: Strings): Html {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 3) return nothing;
  return html`<nav class="contents" aria-labelledby="contents">
<h2 id="contents">${strings.onThisPage}</h2>
<ul>
${shown.map(({ id, text }) => html`<li><a href="#${encodeURIComponent(id)}">${text}</a></li>\n`)}</ul>
</nav>`;
}
