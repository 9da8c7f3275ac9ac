import { type Html, html } from '../markup.ts';
import type { Strings } from '../strings.ts';

/**
 * Returns the skip link: the first element that the keyboard reaches, visible only then. It leads to the element with the id
 * `content`.
 */
export function skipLink(strings: Strings): Html {
  return html`<a class="skip" href="#content">${strings.skip}</a>`;
}
