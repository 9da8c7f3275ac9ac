import { titleOf } from '../../../../sites/page-title.ts';
import { type Html, html } from '../../markup.ts';
import { breadcrumbs } from '../../parts/breadcrumbs.ts';
import { footerLinks, footerTools } from '../../parts/footer.ts';
import { message } from '../../parts/message.ts';
import { pageSearch } from '../../parts/search-form.ts';
import { skipLink } from '../../parts/skip-link.ts';
import { splitBody } from '../../parts/title.ts';
import type { Strings } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import type { ThemeDefinition } from '../theme.ts';
import { fit } from './fit.ts';
import { index } from './index.ts';
import { onwards } from './onwards.ts';

/** A theme like a poster: type as large as possible on the accent colour, then the works in plates of uneven size. */
export const portfolio: ThemeDefinition = {
  name: 'portfolio',
  body,
  backgrounds: { light: ['#fdfcfa', '#f1efeb'], dark: ['#121211', '#1e1d1c'] },
  stylesheets: [import.meta.resolve('./theme.css'), import.meta.resolve('./plates.css')],
  fonts: [import.meta.resolve('@fontsource-variable/bricolage-grotesque/opsz.css')],
  preload: ['bricolage-grotesque-latin-opsz-normal.woff2'],
};

function body(view: PageView, strings: Strings): Html {
  return html`${skipLink(strings)}
<header class="site-header" id="top">
<a class="site-name" href="/">${view.site.name}</a>
${view.navigation.length > 0 && index(view, strings)}
</header>
<main id="content" tabindex="-1">
${view.kind === 'page' ? page(view, strings) : noPage(view, strings)}
</main>
<footer class="site-footer">
<a class="site-name ${fit(view.site.name)}" href="/">${view.site.name}</a>
${footerLinks(view)}
${pageSearch(view, strings)}
${view.kind !== 'placeholder' && footerTools(strings)}
</footer>`;
}

function page(view: PageView, strings: Strings): Html {
  const { title, lead, rest } = splitBody(view);
  const words = (view.hasTitle && view.headings.find(({ level }) => level === 1)?.text) || titleOf(view);
  return html`<article>
<header class="page-header ${fit(words)}">
${breadcrumbs(view, strings)}
${title}
${lead}
</header>
<div class="prose${isBrief(rest) && ' brief'}">
${rest}
</div>
</article>
${onwards(view, strings)}`;
}

/** The most characters of HTML in a brief text: two or three sentences or a short list, without large elements. */
const MAX_BRIEF_CHARACTERS = 400;

function isBrief({ text }: Html): boolean {
  return text.length <= MAX_BRIEF_CHARACTERS && !/<(?:h\d|img|table|pre|iframe|blockquote|details)\b/.test(text);
}

function noPage(view: PageView, strings: Strings): Html {
  if (view.kind === 'search') return message(view, strings);
  const words = view.kind === 'placeholder' ? strings.placeholderTitle : strings.notFoundTitle;
  return html`<div class="page-header ${fit(words)}">
${message(view, strings)}
</div>`;
}
