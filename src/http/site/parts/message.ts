import { type Html, html } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { PageView } from '../view.ts';
import { isWorthSearching, searchForm } from './search-form.ts';
import { searchResults } from './search-results.ts';

/** Returns the content if there is no page: `not-found` offers help, `placeholder` is friendly, `search` lists results. */
export function message(view: PageView, strings: Strings): Html {
  const { kind, navigation, search } = view;
  if (search) return searchResults(search, strings);
  if (kind === 'placeholder') {
    return html`<div class="message">
<h1>${strings.placeholderTitle}</h1>
<p>${strings.placeholderText}</p>
</div>`;
  }
  return html`<div class="message">
<h1>${strings.notFoundTitle}</h1>
<p>${strings.notFoundText}</p>
${
  navigation.length > 0 &&
  html`<p>${strings.notFoundHint}</p>
<ul>
${navigation.slice(0, 8).map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>\n`)}</ul>
`
}${isWorthSearching(view) && html`${searchForm(strings)}\n`}<p><a class="button" href="/">${strings.backHome}</a></p>
</div>`;
}
