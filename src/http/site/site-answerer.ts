import { siteUrl } from '../../addresses.ts';
import type { Db } from '../../db/database.ts';
import type { MediaStore } from '../../media/store.ts';
import type { Site } from '../../sites/site.ts';
import type { Content } from '../content.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { ALL_PAGES, canonicalPath, partOf, pathOfPart, withoutPart } from './address.ts';
import { methodNotAllowed, moved, redirect, suspended } from './answers.ts';
import { findAsset } from './assets.ts';
import { Moved, SiteContents, type SiteSettings } from './contents.ts';
import { answerMedia, isMediaPath } from './media.ts';

/** Answers for one site: what is asked of it, and on which of its hosts. */
export type SiteAnswerer = (exchange: Exchange, host: string, site: Site) => Answer | Promise<Answer>;

export interface AnswererDependencies {
  readonly db: Db;
  readonly config: SiteSettings;
  readonly store: MediaStore;
}

/** Pages, files, images and assets of sites, at their canonical addresses. */
export function siteAnswerer({ db, config, store }: AnswererDependencies): SiteAnswerer {
  const contents = new SiteContents(db, config);

  const answer = (exchange: Exchange, host: string, site: Site): Answer | Promise<Answer> => {
    const { path, query, request } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed;
    if (site.status === 'suspended') return suspended;
    if (site.primaryHost === null || site.primaryHost === host) {
      // Only canonical addresses are ever kept: what is found is right as it is.
      const kept = query === '' ? contents.kept(site, path) : undefined;
      if (kept) return kept.answer(exchange);
    }
    // Node also takes targets such as `*@evil.example`, which would become a part of the host's name in a Location.
    if (!path.startsWith('/')) return notFound(exchange, site);
    const canonical = canonicalPath(path);
    if (site.primaryHost !== null && site.primaryHost !== host) {
      return redirect(siteUrl(site, config) + withQuery(canonical ?? path, query));
    }
    if (canonical === undefined) return notFound(exchange, site);
    if (canonical !== path) return redirect(withQuery(canonical, query));
    if (canonical === '/favicon.ico') return redirect('/favicon.svg');
    if (canonical === ALL_PAGES) return page(exchange, site, canonical);
    return canonical.startsWith('/-/') || canonical.includes('.')
      ? file(exchange, site, canonical)
      : page(exchange, site, canonical);
  };

  const page = async (exchange: Exchange, site: Site, path: string): Promise<Answer> => {
    const { query } = exchange;
    const part = partOf(query);
    if (part === undefined) return notFound(exchange, site);
    // The first part is the page itself, which has one address.
    if (part === 1 && /(?:^|&)page=/.test(query)) return redirect(withQuery(path, withoutPart(query)));
    const key = pathOfPart(path, part);
    const found = contents.kept(site, key) ?? (await contents.page(site, path, part));
    if (found === 'home-path') return redirect(withQuery('/', query));
    if (found instanceof Moved) return moved(withQuery(found.to, query));
    return found === 'not-found' ? notFound(exchange, site) : found.answer(exchange);
  };

  const file = async (exchange: Exchange, site: Site, path: string): Promise<Answer> => {
    const asset = findAsset(path);
    if (asset) return asset.answer(exchange);
    if (isMediaPath(path)) {
      return (await answerMedia({ db, store }, exchange, site.accountId, path)) ?? notFound(exchange, site);
    }
    const found: Content | undefined = contents.kept(site, path) ?? (await contents.file(site, path));
    return found ? found.answer(exchange) : notFound(exchange, site);
  };

  const notFound = async (exchange: Exchange, site: Site): Promise<Answer> => {
    const found = await contents.notFound(site);
    return found.answer(exchange);
  };

  return answer;
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
