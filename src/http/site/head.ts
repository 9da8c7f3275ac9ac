import { documentTitle, titleOf } from '../../sites/page-title.ts';
import { assetUrl } from './assets.ts';
import { accentStyle } from './colour.ts';
import { type Html, html, trusted } from './markup.ts';
import { searchTitle } from './parts/search-results.ts';
import type { Strings } from './strings.ts';
import type { ThemeDefinition } from './themes/theme.ts';
import type { PageView } from './view.ts';

/** Returns the content of a page's `<head>`. */
export function head(view: PageView, theme: ThemeDefinition, strings: Strings): Html {
  const { site, description } = view;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleFor(view, strings)}</title>
${theme.preload.map((name) => html`<link rel="preload" href="${assetUrl(name)}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="stylesheet" href="${assetUrl(`${theme.name}.css`)}">
<style>${trusted(accentStyle(site.accent, theme).css)}</style>
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${theme.backgrounds.light[0]!}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${theme.backgrounds.dark[0]!}" media="(prefers-color-scheme: dark)">
${description && html`<meta name="description" content="${description}">\n`}${robots(view)}${
  view.kind === 'page' && aboutPage(view)
}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" href="/feed.xml" type="application/atom+xml" title="${site.name}">`;
}

function titleFor(view: PageView, strings: Strings): string {
  const { kind, site, search } = view;
  if (kind === 'placeholder') return site.name;
  const name = kind === 'not-found' ? strings.notFoundTitle : search && searchTitle(search, strings);
  return documentTitle(name ? { name, isHome: false, site } : view);
}

/** Keeps hidden pages out of search engines: they are only for people who know the URL. */
function robots({ kind, isHidden }: PageView): Html | undefined {
  return kind !== 'page' || isHidden ? html`<meta name="robots" content="noindex">\n` : undefined;
}

function aboutPage(view: PageView): Html {
  const { site, path, description, isHome, breadcrumbs } = view;
  const address = site.address + path;
  return html`<link rel="canonical" href="${address}">
<meta property="og:type" content="${isHome ? 'website' : 'article'}">
<meta property="og:title" content="${titleOf(view)}">
${description && html`<meta property="og:description" content="${description}">\n`}<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:locale" content="${site.language.replace('-', '_')}">
<meta name="twitter:card" content="summary">
${breadcrumbs.length > 0 && html`<script type="application/ld+json">${breadcrumbJson(view)}</script>\n`}`;
}

/** Returns the breadcrumbs from the home page to this page as https://schema.org/BreadcrumbList. */
function breadcrumbJson({ site, breadcrumbs, name, path }: PageView): Html {
  const json = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [...breadcrumbs, { name, path }].map((link, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: link.name,
      item: site.address + link.path,
    })),
  });
  // A script's content ends at the first "</script", even within a string, and "<!--" changes how it is parsed. The other
  // characters are not allowed in HTML documents.
  return trusted(json.replace(/[<\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/g, asEscape));
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
