import { LRUCache } from 'lru-cache';
import { type Addresses, siteUrl } from '../../addresses.ts';
import type { Config } from '../../config.ts';
import { counts } from '../../counts.ts';
import type { Db, Trx } from '../../db/database.ts';
import { FairSemaphore } from '../../fair-semaphore.ts';
import { bodyRenderer } from '../../sites/body-renderer.ts';
import { readFeedPages } from '../../sites/feed-pages.ts';
import type { MenuLookup } from '../../sites/menus.ts';
import type { BodySource } from '../../sites/render-body.ts';
import type { Site } from '../../sites/site.ts';
import { listVisiblePages } from '../../sites/visible-pages.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import { recentSnapshot } from '../../tenancy/recent-snapshot.ts';
import { Content, etagOf } from '../content.ts';
import { type CacheEntry, sizeOf, VersionCache } from './cache.ts';
import { accentStyle } from './colour.ts';
import { renderDocument } from './document.ts';
import { favicon } from './favicon.ts';
import { feed, latestOf } from './feed.ts';
import { type HeaderSettings, siteHeaders } from './headers.ts';
import { pathOfPart, SEARCH_PATH } from './page-path.ts';
import { allPagesView, emptyView, pageView } from './page-view.ts';
import { readOldAddress, readPage, readSite } from './read-page.ts';
import { partsOf, sitemap } from './sitemap.ts';
import { themeDefinitions } from './themes/index.ts';
import type { PageView } from './view.ts';

/** The most characters in the cache of addresses that lead nowhere. */
const MAX_UNKNOWN_ADDRESSES_CHARACTERS = 1024 * 1024;

/** The configuration that sites need. */
export type SiteSettings = Addresses & HeaderSettings & Pick<Config, 'siteCacheBytes'>;

/** The most snapshots that one process reads from at once. Each needs its own connection. */
const MAX_SNAPSHOTS = 4;

/** The most responses of one site that are made at once, so that a large site does not hold up others. */
const MAX_CONCURRENT_PER_SITE = 2;

type Result = Content | Moved | 'home-path' | 'not-found';

/** The result for a page that has moved to another path. */
export class Moved {
  readonly to: string;

  constructor(to: string) {
    this.to = to;
  }
}

/** Builds the responses of sites when they are first requested, and caches them as long as they are valid. */
export class SiteContents {
  readonly #db: Db;
  readonly #settings: SiteSettings;
  readonly #menuOf: MenuLookup;
  readonly #cache: VersionCache<Result>;
  readonly #sitemapParts = new LRUCache<number, { version: number; parts: number }>({ max: 10_000 });
  readonly #hasOldAddresses = new LRUCache<number, { version: number; hasAny: boolean }>({ max: 10_000 });
  /** The addresses that lead nowhere, with the version of the site in which this was found. */
  readonly #unknownAddresses = new LRUCache<string, number>({
    maxSize: MAX_UNKNOWN_ADDRESSES_CHARACTERS,
    sizeCalculation: (_, key) => 200 + key.length,
  });
  readonly #snapshots = new FairSemaphore(MAX_SNAPSHOTS);
  readonly #sites = new FairSemaphore(Number.POSITIVE_INFINITY, { maxPerKey: MAX_CONCURRENT_PER_SITE });

  constructor(db: Db, settings: SiteSettings, menuOf: MenuLookup) {
    this.#db = db;
    this.#menuOf = menuOf;
    this.#settings = settings;
    this.#cache = new VersionCache(settings.siteCacheBytes);
  }

  /** Returns the cached response for a path (with its part), if it is still valid. */
  cached({ accountId, contentVersion }: Site, path: string): Content | undefined {
    const found = this.#cache.get(keyOf(accountId, path), contentVersion) as Content | undefined;
    counts.caches.sites[found ? 'hits' : 'misses'] += 1;
    return found;
  }

  /** Returns the page at a canonical path, with one part of its sub-pages. */
  page(site: Site, path: string, part: number): Promise<Result> {
    const { accountId } = site;
    return this.#make(site, pathOfPart(path, part), async (keep) => {
      const read = await this.#read(site, (trx) => readPage(trx, accountId, { path, part, menuOf: this.#menuOf }));
      if (read.kind === 'home-path' || read.kind === 'not-found') {
        return { version: read.site.contentVersion, value: read.kind, size: 0 };
      }
      if (read.kind === 'moved') return { version: read.site.contentVersion, value: new Moved(read.to), size: 0 };
      const settings = this.#settings;
      if (read.kind === 'all-pages')
        return keep(read.site, ...documentOf(read.site, allPagesView(read, settings), settings));
      if (read.kind !== 'page') {
        return keep(read.site, ...documentOf(read.site, emptyView(read.kind, read, settings), settings));
      }
      const { body, bodyFormat: format } = read.page;
      const rendered = await this.#render(accountId, { body, format });
      return keep(read.site, ...documentOf(read.site, pageView(read, rendered, settings), settings));
    });
  }

  /**
   * Returns where a normalized address of another system leads. No page can have such an address, because it has a query,
   * underscores or other letters. Strangers can request any number of them, so two things are cached: sites without such
   * redirects, and the latest addresses that lead nowhere.
   */
  async oldAddress(site: Site, address: string): Promise<Moved | undefined> {
    const { accountId, contentVersion } = site;
    const known = this.#hasOldAddresses.get(accountId);
    if (known?.version === contentVersion && !known.hasAny) return undefined;
    // No path begins with this character, so the key cannot collide with a page's.
    const key = `>${address}`;
    const unknown = this.#unknownAddresses.get(keyOf(accountId, key));
    if (unknown !== undefined && unknown >= contentVersion) return undefined;
    const found = await this.#make(site, key, async () => {
      const read = await this.#read(site, (trx) => readOldAddress(trx, accountId, { address, menuOf: this.#menuOf }));
      const version = read.site.contentVersion;
      this.#hasOldAddresses.set(accountId, { version, hasAny: read.hasAny });
      if (read.kind === 'moved') return { version, value: new Moved(read.to), size: 0 };
      if (read.hasAny) this.#unknownAddresses.set(keyOf(accountId, key), version);
      return { version, value: read.kind, size: 0 };
    });
    return found instanceof Moved ? found : undefined;
  }

  /** Returns the not-found page. It is the same for all unknown paths, so that it is built once. */
  async notFound(site: Site): Promise<Content> {
    const cached = this.cached(site, NOT_FOUND);
    if (cached) return cached;
    return this.#make(site, NOT_FOUND, async (keep) => {
      const read = await this.#read(site, (trx) => readSite(trx, site.accountId, this.#menuOf));
      const view = emptyView('not-found', read, this.#settings);
      const [bytes, headers] = documentOf(read.site, view, this.#settings);
      return keep(read.site, bytes, headers, 404);
    }) as Promise<Content>;
  }

  /** Returns one of the files that every site has, or undefined if there is none at this path. */
  async file(site: Site, path: string): Promise<Content | undefined> {
    const headers = (type: string) => siteHeaders(`${type}; charset=utf-8`, this.#settings);
    const part = /^\/sitemap(?:-([1-9]\d{0,4}))?\.xml$/.exec(path);
    const found = part
      ? await this.#sitemap(site, path, Number(part[1] ?? 0), headers('application/xml'))
      : path === '/feed.xml'
        ? await this.#feed(site, path, headers('application/atom+xml'))
        : path === '/robots.txt'
          ? await this.#text(site, path, robots(siteUrl(site, this.#settings)), headers('text/plain'))
          : path === '/favicon.svg'
            ? await this.#text(site, path, favicon(site.name, site.accent), headers('image/svg+xml'))
            : 'not-found';
    return found instanceof Content ? found : undefined;
  }

  #sitemap(site: Site, path: string, part: number, headers: string[]): Promise<Result> {
    const { accountId, contentVersion } = site;
    return this.#make(site, path, async (keep) => {
      // Strangers can request any number of parts, and counting the parts requires reading all pages.
      const known = this.#sitemapParts.get(accountId);
      if (known?.version === contentVersion && part > known.parts) {
        return { version: contentVersion, value: 'not-found', size: 0 };
      }
      const { now, pages } = await this.#read(site, (trx) => this.#visible(trx, accountId));
      const url = siteUrl(now, this.#settings);
      this.#sitemapParts.set(accountId, { version: now.contentVersion, parts: partsOf(pages, url) });
      const bytes = await sitemap(pages, url, part);
      return bytes ? keep(now, bytes, headers) : { version: now.contentVersion, value: 'not-found', size: 0 };
    });
  }

  #feed(site: Site, path: string, headers: string[]): Promise<Result> {
    return this.#make(site, path, async (keep) => {
      const { now, ...source } = await this.#read(site, async (trx) => {
        const { now, pages } = await this.#visible(trx, site.accountId);
        const latest = await latestOf(pages);
        const ids = latest.map(({ id }) => id);
        const rows = await readFeedPages(trx, site.accountId, ids);
        return { now, latest, pages: new Map(rows.map((row) => [row.id, row])) };
      });
      const url = siteUrl(now, this.#settings);
      const authority = this.#settings.sitesDomain.replace(/:\d+$/, '');
      const render = (source: BodySource) => this.#render(now.accountId, source);
      return keep(now, await feed({ site: now, siteUrl: url, authority, ...source }, render), headers);
    });
  }

  /** Returns a text that depends only on the site's settings. */
  #text(site: Site, path: string, text: string, headers: string[]): Promise<Result> {
    return this.#make(site, path, async (keep) => keep(site, Buffer.from(text), headers));
  }

  #read<T>({ accountId, contentVersion }: Site, read: (trx: Trx) => Promise<T>): Promise<T> {
    return this.#snapshots.run(() => recentSnapshot(this.#db, { accountId, contentVersion }, read));
  }

  async #visible(trx: Trx, accountId: number) {
    const { site: now } = await readSite(trx, accountId, this.#menuOf);
    return { now, pages: await listVisiblePages(trx, accountId) };
  }

  #render(accountId: number, source: BodySource) {
    return bodyRenderer.render(accountId, source, holderFinder(this.#db, accountId));
  }

  #make(
    { accountId, contentVersion }: Site,
    path: string,
    build: (
      keep: (site: Site, bytes: Buffer, headers: string[], status?: number) => CacheEntry<Result>,
    ) => Promise<CacheEntry<Result>>,
  ): Promise<Result> {
    const key = keyOf(accountId, path);
    const keep = (site: Site, bytes: Buffer, headers: string[], status = 200): CacheEntry<Result> => {
      const value = new Content(bytes, headers, etagOf(Buffer.concat([Buffer.from(headers.join('\n')), bytes])), {
        status,
        lastModified: site.changedAt,
      });
      return { version: site.contentVersion, value, size: sizeOf(bytes) };
    };
    return this.#cache.make(key, contentVersion, () => this.#sites.run(() => build(keep), accountId));
  }
}

/** Returns the HTML of a page and its headers. */
export function documentOf(site: Site, view: PageView, settings: HeaderSettings): [Buffer, string[]] {
  const { hash } = accentStyle(site.accent, themeDefinitions[site.theme]);
  const html = renderDocument(view);
  const needs = {
    styleHash: hash,
    hasEmbeds: html.includes('<iframe '),
    hasSearch: html.includes(` action="${SEARCH_PATH}"`),
    isPrivate: view.kind === 'search',
  };
  const headers = siteHeaders('text/html; charset=utf-8', settings, needs);
  if (view.kind === 'placeholder') headers.push('X-Robots-Tag', 'noindex');
  return [Buffer.from(html), headers];
}

/** The key of the not-found page. No path is equal to it, as paths begin with a slash. */
const NOT_FOUND = '404';

function keyOf(accountId: number, path: string): string {
  return accountId + path;
}

function robots(url: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${url}/sitemap.xml\n`;
}
