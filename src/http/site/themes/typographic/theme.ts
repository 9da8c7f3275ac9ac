import { titleOf } from '../../../../sites/page-title.ts';
import { dateOf } from '../../date.ts';
import { type Html, html } from '../../markup.ts';
import { breadcrumbs } from '../../parts/breadcrumbs.ts';
import { footerLinks, footerTools } from '../../parts/footer.ts';
import { menu } from '../../parts/menu.ts';
import { message } from '../../parts/message.ts';
import { pageSearch } from '../../parts/search-form.ts';
import { skipLink } from '../../parts/skip-link.ts';
import { subPages } from '../../parts/sub-pages.ts';
import { type SplitBody, splitBody } from '../../parts/title.ts';
import type { Strings } from '../../strings.ts';
import type { PageView } from '../../view.ts';
import type { ThemeDefinition } from '../theme.ts';

/** How many characters fill three lines on a wide screen, the height of the large first letter. */
const MIN_OPENING_CHARACTERS = 200;

/** A theme for text: one column of readable width, large serif headings, wide margins. */
export const typographic: ThemeDefinition = {
  name: 'typographic',
  body,
  backgrounds: { light: ['#fcfbf8'], dark: ['#171614'] },
  stylesheets: [import.meta.resolve('./theme.css')],
  fonts: [
    import.meta.resolve('@fontsource-variable/source-serif-4/wght.css'),
    import.meta.resolve('@fontsource-variable/source-serif-4/wght-italic.css'),
  ],
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
${view.kind !== 'placeholder' && footer(view, strings)}`;
}

function footer(view: PageView, strings: Strings): Html {
  return html`<footer class="site-footer">
<a class="site-name" href="/">${view.site.name}</a>
${footerLinks(view)}
${pageSearch(view, strings)}
${footerTools(strings)}
</footer>`;
}

function page(view: PageView, strings: Strings): Html {
  const { title, lead, rest } = splitPage(view);
  return html`<article>
<header class="page-header">
${breadcrumbs(view, strings)}
${title}
${lead}
${isArticle(view) && dateOf(view.date, view.site)}
</header>
<div class="prose${isLong(rest) && ' opening'}">
${rest}
</div>
</article>
${subPages(view, strings, { withDates: true })}`;
}

/**
 * Splits the page like `splitBody`. If a home page has the name of the site, the masthead already shows the title, so the h1
 * is only for screen readers.
 */
function splitPage(view: PageView): SplitBody {
  const split = splitBody(view);
  if (view.hasTitle || titleOf(view) !== view.site.name) return split;
  return { ...split, title: html`<h1 class="unseen">${view.site.name}</h1>` };
}

/** Returns whether a page reads like an article, and gets a date: one below another page and without sub-pages. */
function isArticle({ breadcrumbs, subPages }: PageView): boolean {
  return breadcrumbs.length > 0 && subPages.length === 0;
}

/**
 * Returns whether the text is long enough for a large first letter. The letter is three lines high, and only the first
 * paragraph may be beside it.
 */
function isLong({ text }: Html): boolean {
  if (text.length <= 2500 || !/^\s*<p>\p{L}/u.test(text)) return false;
  const paragraph = text.slice(0, text.indexOf('</p>'));
  return paragraph.replace(/<[^<>]*>/g, '').trim().length >= MIN_OPENING_CHARACTERS;
}
