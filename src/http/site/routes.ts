import type { Db } from '../../db/database.ts';
import type { Finder } from '../../db/unchanged.ts';
import type { MediaStore } from '../../media/store.ts';
import type { Site } from '../../sites/site.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { unknownHost } from './answers.ts';
import type { SiteSettings } from './contents.ts';
import type { SiteAnswerer } from './site-answerer.ts';

/** What the access log and the metrics call every request for a site. */
export const SITE_ROUTE = 'site';

export interface SiteDependencies {
  readonly db: Db;
  readonly config: SiteSettings;
  readonly findSite: Finder<Site>;
  readonly store: MediaStore;
}

/** Answers everything on a host that is not the service's own: lower case, without a port. */
export type SiteSurface = (exchange: Exchange, host: string) => Answer | Promise<Answer>;

/**
 * The sites' surface: everything on hosts that are not the service's own. Nothing here depends on cookies, keys or
 * anything else that tells visitors apart, and nothing sets any.
 */
export function siteSurface({ db, config, findSite, store }: SiteDependencies): SiteSurface {
  let answerer: SiteAnswerer | undefined;
  // The renderers and the fonts take 20 MB: they come with the first visitor.
  const load = async (): Promise<SiteAnswerer> => {
    const { siteAnswerer } = await import('./site-answerer.ts');
    answerer ??= siteAnswerer({ db, config, store });
    return answerer;
  };

  const answer = (exchange: Exchange, host: string, site: Site | undefined): Answer | Promise<Answer> => {
    if (!site) return unknownHost;
    exchange.siteAccountId = site.accountId;
    return answerer ? answerer(exchange, host, site) : load().then((loaded) => loaded(exchange, host, site));
  };

  return (exchange, host) => {
    exchange.route = SITE_ROUTE;
    const found = findSite(host);
    return found instanceof Promise
      ? found.then((site) => answer(exchange, host, site))
      : answer(exchange, host, found);
  };
}

/** The themes' style sheets and fonts, on the service's own host: for the previews that it shows. */
export async function themeAsset(exchange: Exchange): Promise<Answer | undefined> {
  const { findAsset } = await import('./assets.ts');
  const asset = findAsset(exchange.path);
  if (asset) exchange.route = 'theme-asset';
  return asset?.answer(exchange);
}
