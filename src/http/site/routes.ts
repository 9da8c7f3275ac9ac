import type { Lookup } from '../../db/change-cache.ts';
import type { Db } from '../../db/database.ts';
import type { MediaStore } from '../../media/store.ts';
import type { Site } from '../../sites/site.ts';
import { appUrlOf } from '../host.ts';
import type { RateLimit } from '../limits.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { SiteSettings } from './contents.ts';
import { unknownHost } from './responses.ts';
import type { SiteResponder } from './site-responder.ts';

/** The route of all requests for sites, in the access log and the metrics. */
export const SITE_ROUTE = 'site';

interface SiteDependencies {
  readonly db: Db;
  readonly config: SiteSettings;
  readonly findSite: Lookup<Site>;
  readonly store: MediaStore;
  /** Limits the searches of each network. */
  readonly searchLimit: RateLimit;
}

/** Answers all requests for a host that is not the service's own. `host` is in lower case, without a port. */
type SiteHandler = (
  ctx: RequestContext,
  host: string,
  asApp: () => HttpResponse | Promise<HttpResponse>,
) => HttpResponse | Promise<HttpResponse>;

/**
 * Returns the handler for all hosts that are not the service's own. It neither reads nor sets cookies, keys or anything else
 * that identifies visitors.
 */
export function siteHandler({ db, config, findSite, store, searchLimit }: SiteDependencies): SiteHandler {
  let answerer: SiteResponder | undefined;
  // The renderers and fonts take 20 MB, so they are loaded with the first visitor.
  const load = async (): Promise<SiteResponder> => {
    const { siteResponder } = await import('./site-responder.ts');
    answerer ??= siteResponder({ db, config, store, searchLimit });
    return answerer;
  };

  const answer = (
    ctx: RequestContext,
    host: string,
    site: Site | undefined,
    asApp: () => HttpResponse | Promise<HttpResponse>,
  ): HttpResponse | Promise<HttpResponse> => {
    if (!site) return unknownHost;
    if (site.isApp) {
      ctx.appHost = { host, accountId: site.accountId, url: appUrlOf(host, config.publicUrl) };
      ctx.route = '';
      return asApp();
    }
    ctx.siteAccountId = site.accountId;
    return answerer ? answerer(ctx, host, site) : load().then((loaded) => loaded(ctx, host, site));
  };

  return (ctx, host, asApp) => {
    ctx.route = SITE_ROUTE;
    const found = findSite(host);
    return found instanceof Promise
      ? found.then((site) => answer(ctx, host, site, asApp))
      : answer(ctx, host, found, asApp);
  };
}

/** Serves the themes' style sheets and fonts on the service's own host, for previews. */
export async function themeAsset(ctx: RequestContext): Promise<HttpResponse | undefined> {
  const { findAsset } = await import('./assets.ts');
  const asset = findAsset(ctx.path);
  if (asset) ctx.route = 'theme-asset';
  return asset?.answer(ctx);
}
