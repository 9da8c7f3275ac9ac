import { type Html, html, nothing } from '../../markup.ts';
import { brand } from '../../parts/brand.ts';
import { breadcrumbs } from '../../parts/breadcrumbs.ts';
import { contents } from '../../parts/contents.ts';
import { footerTools } from '../../parts/footer.ts';
import { allPages, menu } from '../../parts/menu.ts';
import { message } from '../../parts/message.ts';
import { pageSearch } from '../../parts/search-form.ts';
import { skipLink } from '../../parts/skip-link.ts';
import { subPages } from '../../parts/sub-pages.ts';
import { splitBody } from '../../parts/title.ts';
import type { Strings } from '../../strings.ts';
import type { NavigationItem, PageView } from '../../view.ts';
import type { ThemeDefinition } from '../theme.ts';

/** A theme for companies: a header with the menu, a hero, cards, and a footer with links to the whole site. */
export const business: ThemeDefinition = {
  name: 'business',
  body,
  backgrounds: { light: ['#ffffff', '#f4f5f7'], dark: ['#131519', '#1d2026'] },
  stylesheets: [import.meta.resolve('./theme.css')],
  fonts: [import.meta.resolve('@fontsource-variable/manrope/wght.css')],
  preload: ['manrope-latin-wght-normal.woff2'],
};

function body(view: PageView, strings: Strings): Html {
  return html`${skipLink(strings)}
<header class="site-header" id="top">
<div class="inner">
${brand(view)}
${view.navigation.length > 0 && menu(view, strings)}
</div>
</header>
<main id="content" tabindex="-1">
${view.kind === 'page' ? page(view, strings) : html`<div class="inner">${message(view, strings)}</div>`}
</main>
${view.kind !== 'placeholder' && footer(view, strings)}`;
}

function page(view: PageView, strings: Strings): Html {
  const { title, lead, rest } = splitBody(view);
  return html`<article>
<header class="page-header">
<div class="inner">
${breadcrumbs(view, strings)}
${title}
${lead}
${view.isHome && calls(view)}
</div>
</header>
${
  rest.text.trim() !== '' &&
  html`<div class="inner page-body">
<div class="prose">
${rest}
</div>
${!view.isHome && contents(view, strings)}
</div>
`
}</article>
${view.subPages.length > 0 && html`<div class="sub-pages-band"><div class="inner">${subPages(view, strings, { withPictures: true })}</div></div>`}`;
}

/**
 * Returns the buttons of the hero. The first leads to the page after the home page, because the owner chooses the order of
 * pages. The second leads to the page that the owner has selected.
 */
function calls({ navigation, secondButton }: PageView): Html {
  const first = navigation.find(({ path }) => path !== '/');
  const second = secondButton?.path === first?.path ? undefined : secondButton;
  const links = [first, second].filter((link) => link !== undefined);
  if (links.length === 0) return nothing;
  return html`<p class="calls">${links.map(({ name, path }) => html`<a class="button" href="${path}">${name}</a> `)}</p>`;
}

/** The most sub-pages in a column of the footer. More would make the footer longer than most pages. */
const MAX_LINKS_PER_COLUMN = 6;

function footer(view: PageView, strings: Strings): Html {
  return html`<footer class="site-footer">
<div class="inner">
<div>
${brand(view)}
${pageSearch(view, strings)}
</div>
${siteMap(view, strings)}
${footerTools(strings)}
</div>
</footer>`;
}

/** Returns links to all root pages and their sub-pages, except the home page, to which the brand beside them leads. */
function siteMap(view: PageView, strings: Strings): Html {
  const columns = view.navigation.filter(({ path }) => path !== '/').map(column);
  return columns.length > 0 ? html`<ul class="site-map">\n${columns}${allPages(view, strings)}</ul>` : nothing;
}

function column({ name, path, children }: NavigationItem): Html {
  const shown = children.slice(0, MAX_LINKS_PER_COLUMN);
  return html`<li><a href="${path}">${name}</a>${
    shown.length > 0 &&
    html`
<ul>
${shown.map((child) => html`<li><a href="${child.path}">${child.name}</a></li>\n`)}</ul>`
  }</li>
`;
}
