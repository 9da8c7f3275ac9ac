import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { refreshSearch } from '../../pages/search-index.ts';
import { queryValue } from '../../query.ts';
import type { MenuLookup } from '../../sites/menus.ts';
import type { MainMenu } from '../../sites/navigation.ts';
import { type SiteSearch, searchSite, withExcerpts } from '../../sites/search-site.ts';
import type { Site } from '../../sites/site.ts';
import { AccountSemaphore } from '../../tenancy/account-semaphore.ts';
import { findUpperAccounts } from '../../tenancy/find-upper-accounts.ts';
import { network } from '../client.ts';
import { Content, etagOf } from '../content.ts';
import type { RateLimit } from '../limits.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { documentOf, type SiteSettings } from './contents.ts';
import { searchView } from './page-view.ts';
import { readSite } from './read-page.ts';
import { searchBusy, tooManySearches } from './responses.ts';

/** Longer searches are cut off. The index is searched for at most 10 words. */
const MAX_SEARCH_CHARACTERS = 200;

/** The most outdated pages that a search indexes before it answers. Later searches and the hourly task index the others. */
const MAX_INDEXED = 50;

/** The most searches that one process runs at once, and the most of one site that may be queued. */
const MAX_CONCURRENT = 2;
const MAX_WAITING_PER_SITE = 20;

interface SearchDependencies {
  readonly db: Db;
  readonly settings: SiteSettings;
  /** Limits searches by the visitor's network. */
  readonly limit: RateLimit;
  readonly menuOf: MenuLookup;
}

/**
 * Returns the handler of searches. Results are not cached: strangers may send any number of different words, and would fill
 * the cache.
 */
export function siteSearcher({ db, settings, limit, menuOf }: SearchDependencies) {
  const turns = new AccountSemaphore(MAX_CONCURRENT, { maxPerCustomer: 1 });
  const waiting = new Map<number, number>();

  const search = async (accountId: number, text: string): Promise<{ site: Site; menu: MainMenu } & SiteSearch> => {
    if (text !== '') await refreshSearch(db, accountId, MAX_INDEXED);
    const found = await snapshot(db, async (trx) => ({
      ...(await readSite(trx, accountId, menuOf)),
      ...(await searchSite(trx, accountId, text)),
    }));
    return { ...found, hits: await withExcerpts(found.hits, text) };
  };

  return async (ctx: RequestContext, { accountId }: Site): Promise<HttpResponse> => {
    const { isAllowed, resetIn } = await limit.take(network(ctx.ip));
    if (!isAllowed) return tooManySearches(resetIn);
    const count = waiting.get(accountId) ?? 0;
    if (count >= MAX_WAITING_PER_SITE) return searchBusy;
    waiting.set(accountId, count + 1);
    try {
      const text = (queryValue(ctx.query, 'q') ?? '').trim().slice(0, MAX_SEARCH_CHARACTERS).toWellFormed();
      const found = await turns.run(() => search(accountId, text), await findUpperAccounts(db, accountId));
      const [bytes, headers] = documentOf(found.site, searchView(found, text, settings), settings);
      return await new Content(bytes, headers, etagOf(bytes)).answer(ctx);
    } finally {
      const left = waiting.get(accountId)! - 1;
      if (left > 0) waiting.set(accountId, left);
      else waiting.delete(accountId);
    }
  };
}
