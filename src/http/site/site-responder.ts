import { siteUrl } from '../../addresses.ts';
import type { Db } from '../../db/database.ts';
import type { MediaStore } from '../../media/store.ts';
import { canonicalPath } from '../../sites/canonical-path.ts';
import { findSeller } from '../../sites/find-seller.ts';
import { mainMenus } from '../../sites/menus.ts';
import { normalAddress, trackingOf } from '../../sites/normal-address.ts';
import type { Site } from '../../sites/site.ts';
import { Content } from '../content.ts';
import type { RateLimit } from '../limits.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { findAsset } from './assets.ts';
import { Moved, SiteContents, type SiteSettings } from './contents.ts';
import { isMediaPath, mediaResponse } from './media.ts';
import { ALL_PAGES, partOf, pathOfPart, SEARCH_PATH, withoutPart } from './page-path.ts';
import { methodNotAllowed, moved, redirect, suspended } from './responses.ts';
import { siteSearcher } from './search.ts';

/** Returns the response to a request for a site on one of its hosts. */
export type SiteResponder = (ctx: RequestContext, host: string, site: Site) => HttpResponse | Promise<HttpResponse>;

interface ResponderDependencies {
  readonly db: Db;
  readonly config: SiteSettings;
  readonly store: MediaStore;
  readonly searchLimit: RateLimit;
}

/** Returns the responder for pages, files, images and assets of sites, at their canonical URLs. */
export function siteResponder({ db, config, store, searchLimit }: ResponderDependencies): SiteResponder {
  const menuOf = mainMenus();
  const contents = new SiteContents(db, config, menuOf);
  const search = siteSearcher({ db, settings: config, limit: searchLimit, menuOf });

  const answer = (ctx: RequestContext, host: string, site: Site): HttpResponse | Promise<HttpResponse> => {
    const { path, query, request } = ctx;
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed;
    if (site.status === 'suspended') return whileSuspended(site);
    if (site.primaryHost === null || site.primaryHost === host) {
      // Only canonical URLs are cached, so a cached response needs no further checks.
      const cached = query === '' ? contents.cached(site, path) : undefined;
      if (cached) return cached.answer(ctx);
    }
    // Node also accepts targets such as `*@evil.example`, which would become part of the host name in a Location.
    if (!path.startsWith('/')) return notFound(ctx, site);
    const canonical = canonicalPath(path);
    if (site.primaryHost !== null && site.primaryHost !== host) {
      return redirect(siteUrl(site, config) + withQuery(canonical ?? path, query));
    }
    if (canonical === undefined) return oldPage(ctx, site);
    if (canonical !== path) return redirect(withQuery(canonical, query));
    if (canonical === '/favicon.ico') return redirect('/favicon.svg');
    if (canonical === SEARCH_PATH) return search(ctx, site);
    if (canonical === ALL_PAGES) return page(ctx, site, canonical);
    return canonical.startsWith('/-/') || canonical.includes('.')
      ? file(ctx, site, canonical)
      : page(ctx, site, canonical);
  };

  const whileSuspended = async (site: Site): Promise<HttpResponse> => {
    const seller = await findSeller(db, site.accountId);
    return suspended(seller && { name: seller.name, url: seller.status === 'active' ? siteUrl(seller, config) : null });
  };

  const page = async (ctx: RequestContext, site: Site, path: string): Promise<HttpResponse> => {
    const { query } = ctx;
    const part = partOf(query);
    const read = async (part: number) =>
      contents.cached(site, pathOfPart(path, part)) ?? (await contents.page(site, path, part));
    // A later part of the list of sub-pages takes precedence over a redirect with the same address.
    const isLater = part !== undefined && part > 1 && normalAddress(path, query) === pathOfPart(path, part);
    const later = isLater ? await read(part) : undefined;
    if (later instanceof Content) return later.answer(ctx);
    // On another system, the query may have selected the page.
    const old = query === '' ? undefined : await oldAddress(site, path, query);
    if (old) return moved(withQuery(old.to, trackingOf(query)));
    if (part === undefined) return notFound(ctx, site);
    // The first part is the page itself, which has only one URL.
    if (part === 1 && /(?:^|&)page=/.test(query)) return redirect(withQuery(path, withoutPart(query)));
    const found = later ?? (await read(part));
    if (found === 'home-path') return redirect(withQuery('/', query));
    if (found instanceof Moved) return moved(withQuery(found.to, query));
    return found === 'not-found' ? notFound(ctx, site) : found.answer(ctx);
  };

  /** Answers at a path that no page can have here. It may be an address of another system. */
  const oldPage = async (ctx: RequestContext, site: Site): Promise<HttpResponse> => {
    const { path, query } = ctx;
    const whole = query === '' ? undefined : await oldAddress(site, path, query);
    if (whole) return moved(withQuery(whole.to, trackingOf(query)));
    const found = await oldAddress(site, path);
    return found ? moved(withQuery(found.to, query)) : notFound(ctx, site);
  };

  const oldAddress = async (site: Site, path: string, query = ''): Promise<Moved | undefined> => {
    const address = normalAddress(path, query);
    // A query that is dropped as empty leaves only the path, where a page may be.
    const isOld = address !== undefined && address.includes('?') === (query !== '');
    return isOld ? contents.oldAddress(site, address) : undefined;
  };

  const file = async (ctx: RequestContext, site: Site, path: string): Promise<HttpResponse> => {
    const asset = findAsset(path);
    if (asset) return asset.answer(ctx);
    if (isMediaPath(path)) {
      return (await mediaResponse({ db, store }, ctx, site.accountId, path)) ?? notFound(ctx, site);
    }
    const found: Content | undefined = contents.cached(site, path) ?? (await contents.file(site, path));
    if (found) return found.answer(ctx);
    // On another system, a page may have had such a path.
    return path.startsWith('/-/') ? notFound(ctx, site) : page(ctx, site, path);
  };

  const notFound = async (ctx: RequestContext, site: Site): Promise<HttpResponse> => {
    const found = await contents.notFound(site);
    return found.answer(ctx);
  };

  return answer;
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
