import { type Html, html } from '../markup.ts';
import type { Strings } from '../strings.ts';

/** The first thing the keyboard reaches; seen only then. Leads to the element with the id `content`. */
export function skipLink(strings: Strings): Html {
  return html`<a class="skip" href="#content">${strings.skip}</a>`;
}
