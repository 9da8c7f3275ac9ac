import { type Html, html, nothing } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';
import { isWorthSearching, searchForm } from './search-form.ts';
import { searchResults } from './search-results.ts';

/**
 * Returns the content of views that are not pages: `not-found` offers help, `placeholder` is friendly, `search` lists
 * results.
 */
export function message(view: PageView, strings: Strings): Html {
  const { kind, search } = view;
  if (search) {
    const isInVain = search.text !== '' && search.results.length === 0;
    return html`<div class="results">
${searchResults(search, strings)}
${isInVain && suggestions(view, strings)}</div>`;
  }
  if (kind === 'placeholder') {
    return html`<div class="message">
<h1>${strings.placeholderTitle}</h1>
<p>${strings.placeholderText}</p>
</div>`;
  }
  return html`<div class="message">
<h1>${strings.notFoundTitle}</h1>
<p>${strings.notFoundText}</p>
${suggestions(view, strings)}${isWorthSearching(view) && html`${searchForm(strings)}\n`}<p><a class="button" href="/">${strings.backHome}</a></p>
</div>`;
}

/** Returns links to the first pages of the menu. */
function suggestions({ navigation }: PageView, strings: Strings): Html {
  if (navigation.length === 0) return nothing;
  return html`<p>${strings.notFoundHint}</p>
<ul>
${navigation.slice(0, 8).map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}</ul>
`;
}
