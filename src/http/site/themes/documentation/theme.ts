import { dateOf } from '../../date.ts';
import { type Html, html } from '../../markup.ts';
import { breadcrumbs } from '../../parts/breadcrumbs.ts';
import { footerTools } from '../../parts/footer.ts';
import { message } from '../../parts/message.ts';
import { skipLink } from '../../parts/skip-link.ts';
import { subPages } from '../../parts/sub-pages.ts';
import { splitBody } from '../../parts/title.ts';
import type { Strings } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import type { ThemeDefinition } from '../theme.ts';
import { chapters } from './chapters.ts';
import { nextPage } from './next-page.ts';
import { onThisPage } from './on-this-page.ts';
import { tree } from './tree.ts';

/** A theme for handbooks: the tree of pages at the side, the text in the middle, its headings beside it. */
export const documentation: ThemeDefinition = {
  name: 'documentation',
  body,
  backgrounds: { light: ['#ffffff', '#f5f6f8'], dark: ['#13161c', '#0d0f14', '#1a1e26'] },
  stylesheets: [import.meta.resolve('./theme.css')],
  fonts: [
    import.meta.resolve('@fontsource-variable/inter/wght.css'),
    import.meta.resolve('@fontsource-variable/jetbrains-mono/wght.css'),
  ],
  preload: ['inter-latin-wght-normal.woff2'],
};

function body(view: PageView, strings: Strings): Html {
  return html`${skipLink(strings)}
<div class="frame${view.navigation.length === 0 && ' bare'}" id="top">
<header class="spine">
<a class="site-name" href="/">${view.site.name}</a>
${view.navigation.length > 0 && tree(view, strings)}
</header>
<div class="sheet">
<main id="content" tabindex="-1">
${view.kind === 'page' ? page(view, strings) : message(view, strings)}
</main>
${
  view.kind !== 'placeholder' &&
  html`<footer class="site-footer">
${footerTools(strings)}
</footer>
`
}</div>
</div>`;
}

function page(view: PageView, strings: Strings): Html {
  const { title, lead, rest } = splitBody(view);
  return html`<article>
<header class="page-header">
${breadcrumbs(view, strings)}
${title}
${lead}
</header>
${onThisPage(view, strings)}
<div class="prose">
${rest}
</div>
</article>
${view.isHome && view.subPages.length === 0 ? chapters(view, strings) : subPages(view, strings)}
${!view.isHome && nextPage(view, strings)}
<p class="updated">${strings.updated} <bdi>${dateOf(view.updatedAt, view.site)}</bdi></p>`;
}
