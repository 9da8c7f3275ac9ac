import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';

/** Returns the breadcrumbs from the home page to the current page, or nothing on root pages. */
export function breadcrumbs({ breadcrumbs, name, path }: PageView, strings: Strings): Html {
  if (breadcrumbs.length === 0) return nothing;
  return html`<nav class="breadcrumbs" aria-label="${strings.breadcrumbs}">
<ol>
${breadcrumbs.map((link) => html`<li><a href="${link.path}">${link.name}</a></li>\n`)}<li><a href="${path}" aria-current="page">${name}</a></li>
</ol>
</nav>`;
}
