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

/** A company: a header with its menu, a hero, cards, a substantial footer. */
export const business: ThemeDefinition = {
  name: 'business',
  body,
  backgrounds: { light: ['#ffffff', '#f5f6f8'], dark: ['#14161a', '#1c1f25'] },
  stylesheets: [import.meta.resolve('./theme.css')],
  fonts: [import.meta.resolve('@fontsource-variable/inter/wght.css')],
  preload: ['inter-latin-wght-normal.woff2'],
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
