import { initial } from '../favicon.ts';
import { type Html, html } from '../markup.ts';
import type { PageView } from '../view.ts';

/** Returns the site's name with its initial as a logo, linked to the home page. */
export function brand({ site }: PageView): Html {
  return html`<a class="brand" href="/"><span class="mark" aria-hidden="true">${initial(site.name)}</span><span>${site.name}</span></a>`;
}
