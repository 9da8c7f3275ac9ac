import { dateOf } from '../date.ts';
import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView, SubPage } from '../view.ts';
import { pagePicture } from './page-picture.ts';

interface Options {
  withDates?: boolean;
  withPictures?: boolean;
}

/**
 * Returns the list of sub-pages, with links to earlier and later parts if they do not all fit, or nothing if there are none.
 */
export function subPages(view: PageView, strings: Strings, options: Options = {}): Html {
  if (view.subPages.length === 0) return nothing;
  return html`<nav class="sub-pages" aria-labelledby="sub-pages">
<h2 id="sub-pages">${strings.inThisSection}</h2>
<ul>
${view.subPages.map((page) => subPage(page, view, options))}</ul>
${paging(view, strings)}
</nav>`;
}

function subPage(
  { name, path, description, date, picture }: SubPage,
  { site }: PageView,
  { withDates, withPictures }: Options,
): Html {
  return html`<li><h3><a href="${path}">${name}</a></h3>${description && html`\n<p>${description}</p>`}${
    withDates && html`\n${dateOf(date, site)}`
  }${withPictures && picture && html`\n${pagePicture(picture, CARD)}`}</li>
`;
}

/** Full width on phones, and in columns on other screens. */
const CARD = { className: 'card-picture', width: '(min-width: 44rem) 24rem, 100vw' };

/** Returns links to earlier and later parts of the list, or nothing if all sub-pages are listed. */
export function paging({ earlier, later }: PageView, strings: Strings): Html {
  if (earlier === undefined && later === undefined) return nothing;
  return html`<p class="paging">${earlier !== undefined && html`<a rel="prev" href="${earlier}">${strings.earlier}</a>`} ${
    later !== undefined && html`<a rel="next" href="${later}">${strings.later}</a>`
  }</p>`;
}
