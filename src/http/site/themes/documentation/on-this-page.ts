import { type Html, html, nothing } from '../../markup.ts';
import type { Strings } from '../../strings.ts';
import type { PageView } from '../../view.ts';

/**
 * Returns links to the page's headings, or nothing if there are fewer than two. They are folded if there is no room beside
 * the text.
 */
export function onThisPage({ headings }: PageView, strings: Strings): Html {
  const listed = headings.filter(({ level }) => level > 1);
  if (listed.length < 2) return nothing;
  return html`<nav class="toc" aria-label="${strings.onThisPage}">
<details>
<summary>${strings.onThisPage}</summary>
<ul>
${listed.map(({ level, id, text }) => html`<li${level === 3 && html` class="deep"`}><a href="#${encodeURIComponent(id)}">${text}</a></li>\n`)}</ul>
</details>
</nav>`;
}
