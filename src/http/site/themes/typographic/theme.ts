import { type Html, html } from '../../markup.ts';
import { breadcrumbs } from '../../parts/breadcrumbs.ts';
import { footerLinks, footerTools } from '../../parts/footer.ts';
import { menu } from '../../parts/menu.ts';
import { message } from '../../parts/message.ts';
import { skipLink } from '../../parts/skip-link.ts';
import { subPages } from '../../parts/sub-pages.ts';
import { splitBody } from '../../parts/title.ts';
import type { Strings } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import type { ThemeDefinition } from '../theme.ts';

/** Text first: one column in a reading measure, large serif headings, wide margins. */
export const typographic: ThemeDefinition = {
  name: 'typographic',
  body,
  backgrounds: { light: ['#fcfbf8'], dark: ['#171614'] },
  stylesheets: [import.meta.resolve('./theme.css')],
  fonts: [import.meta.resolve('@fontsource-variable/source-serif-4/wght.css')],
  preload: ['source-serif-4-latin-wght-normal.woff2'],
};

function body(view: PageView, strings: Strings): Html {
  return html`${skipLink(strings)}
<header class="site-header" id="top">
<a class="site-name" href="/">${view.site.name}</a>
${view.navigation.length > 0 && menu(view, strings)}
</header>
<main id="content" tabindex="-1">
${view.kind === 'page' ? page(view, strings) : message(view, strings)}
</main>
<footer class="site-footer">
<a class="site-name" href="/">${view.site.name}</a>
${footerLinks(view)}
${footerTools(strings)}
</footer>`;
}

function page(view: PageView, strings: Strings): Html {
  const { title, lead, rest } = splitBody(view);
  return html`<article>
<header class="page-header">
${breadcrumbs(view, strings)}
${title}
${lead}
</header>
<div class="prose">
${rest}
</div>
</article>
${subPages(view, strings, { withDates: true })}`;
}
