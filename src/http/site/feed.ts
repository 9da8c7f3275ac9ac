import { setImmediate } from 'node:timers/promises';
import { escapeHtml } from '../../html.ts';
import { cutDescription } from '../../sites/description.ts';
import type { FeedPage } from '../../sites/feed-pages.ts';
import { firstSentences } from '../../sites/first-sentences.ts';
import type { BodySource, RenderedBody } from '../../sites/render-body.ts';
import type { Site } from '../../sites/site.ts';
import type { VisiblePage, VisiblePages } from '../../sites/visible-pages.ts';
import { absolute } from './absolute.ts';

/** The date in the site's tag URI. Every account's id already belonged to it then. */
const TAG_DATE = Date.UTC(2026, 0, 1);

/** The most pages in a feed. */
const MAX_ENTRIES = 30;

/** The most content in a feed. Later entries have only a summary. */
const MAX_CONTENT_CHARACTERS = 1024 * 1024;

/** Returns the pages with the latest dates, latest first. Of pages with the same date, the one with the highest id is first. */
export async function latestOf(pages: VisiblePages): Promise<VisiblePage[]> {
  let latest: VisiblePage[] = [];
  let count = 0;
  const cut = () => latest.toSorted((a, b) => b.customDate - a.customDate || b.id - a.id).slice(0, MAX_ENTRIES);
  for (const page of pages) {
    count += 1;
    latest.push(page);
    if (latest.length >= 1000) latest = cut();
    if (count % 5000 === 0) await setImmediate();
  }
  return cut();
}

interface FeedSource {
  site: Site;
  /** The site's URL without a trailing slash. */
  siteUrl: string;
  /** The domain name that identifies the installation in every entry's id. It must never change. */
  authority: string;
  latest: readonly VisiblePage[];
  pages: ReadonlyMap<number, FeedPage>;
}

/** Returns an Atom feed (RFC 4287). Its ids stay the same when the site or a page gets another URL. */
export async function feed(
  { site, siteUrl, authority, latest, pages }: FeedSource,
  render: (source: BodySource) => Promise<RenderedBody>,
): Promise<Buffer> {
  const updated = latest.reduce((last, { updatedAt }) => Math.max(last, updatedAt), 0) || site.changedAt;
  let entries = '';
  let size = 0;
  for (const { id, path } of latest) {
    const page = pages.get(id)!;
    const url = siteUrl + path;
    const description = cutDescription(page.description).trim();
    let hasContent = page.isWhole && size <= MAX_CONTENT_CHARACTERS;
    // A body is rendered only if its content or a summary is shown.
    const body = hasContent || !description ? await render({ body: page.body, format: page.bodyFormat }) : undefined;
    size += body?.html.length ?? 0;
    hasContent &&= size <= MAX_CONTENT_CHARACTERS;
    const summary = description || firstSentences(body!.text);
    entries += `<entry>
<id>${tag(authority, page.createdAt, `page_${id}`)}</id>
<title>${title(page.name, url)}</title>
<link rel="alternate" type="text/html" href="${xml(url)}"/>
<published>${iso(page.customDate)}</published>
<updated>${iso(page.updatedAt)}</updated>
<summary>${xml(summary)}</summary>
${hasContent ? `<content type="html" xml:base="${xml(url)}">${xml(absolute(body!.html, url))}</content>\n` : ''}</entry>
`;
    // Even short bodies take time to render, so other requests run in between.
    await setImmediate();
  }
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(site.language)}">
<id>${tag(authority, TAG_DATE, `account_${site.accountId}`)}</id>
<title>${title(site.name, siteUrl)}</title>
<updated>${iso(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${xml(siteUrl)}/feed.xml"/>
<link rel="alternate" type="text/html" href="${xml(siteUrl)}/"/>
<icon>${xml(siteUrl)}/favicon.svg</icon>
<author><name>${title(site.name, siteUrl)}</name></author>
${entries}</feed>
`);
}

/** Returns a tag URI (RFC 4151), a permanent id made of a domain name, a date on which it was ours, and an identifier. */
function tag(authority: string, since: number, what: string): string {
  return `tag:${authority},${iso(since).slice(0, 10)}:${what}`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Returns a title for XML. If nothing of the name is left, it is the URL, because readers would show an entry without a
 * title.
 */
function title(name: string, siteUrl: string): string {
  return xml(name).trim() === '' ? xml(siteUrl) : xml(name);
}

/** Escapes text for XML, and removes control characters and half characters, which XML does not allow. */
function xml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''));
}
