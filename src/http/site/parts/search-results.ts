import { wantedWords, wordsIn } from '../../../pages/search-words.ts';
import { type Html, html } from '../markup.ts';
import type { Strings } from '../strings.ts';
import type { SearchView, SubPage } from '../view.ts';
import { searchForm } from './search-form.ts';

/** Returns the title of the search page. */
export function searchTitle({ text }: Pick<SearchView, 'text'>, strings: Strings): string {
  return text === '' ? strings.search : strings.resultsFor(shortened(text));
}

/** The most characters of the search that the page repeats. The input field has all of it. */
const MAX_REPEATED_CHARACTERS = 60;

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_REPEATED_CHARACTERS) return text;
  return `${characters.slice(0, MAX_REPEATED_CHARACTERS).join('').trim()}…`;
}

/** Returns the content of the search page: the results, or only the form if the search is empty. */
export function searchResults({ text, results, hasMore }: SearchView, strings: Strings): Html {
  const words = wantedWords(text);
  return html`<h1>${searchTitle({ text }, strings)}</h1>
${searchForm(strings, text)}
${
  results.length > 0
    ? html`<ol>
${results.map((result) => listed(result, words))}</ol>
${hasMore && html`<p>${strings.moreFound}</p>`}`
    : text !== '' && html`<p>${strings.nothingFound(shortened(text))}</p>\n<p>${strings.searchHint}</p>`
}`;
}

function listed({ name, path, description }: SubPage, words: readonly string[]): Html {
  return html`<li><h2><a href="${path}">${marked(name, words)}</a></h2>${
    description && html`\n<p>${marked(description, words)}</p>`
  }</li>
`;
}

/** Returns the text with the searched words marked. */
export function marked(text: string, words: readonly string[]): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const { folded, index, length } of wordsIn(text)) {
    const word = words.find((one) => (one.length > 1 ? folded.includes(one) : folded === one));
    if (word === undefined) continue;
    // Folding may change the length of a word. In that case the whole word is marked.
    const isAligned = folded.length === length;
    const from = isAligned ? index + folded.indexOf(word) : index;
    const to = isAligned ? from + word.length : index + length;
    parts.push(html`${text.slice(at, from)}<mark>${text.slice(from, to)}</mark>`);
    at = to;
  }
  return html`${parts}${text.slice(at)}`;
}
