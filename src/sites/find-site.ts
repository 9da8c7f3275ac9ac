import { batchLoader } from '../db/batch-loader.ts';
import { cacheUntilWrite, type Lookup } from '../db/change-cache.ts';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { primaryHost } from './primary-host.ts';
import type { Site } from './site.ts';

/**
 * Returns the look-up of sites for one process. It takes a host name in lower case and without a port: a subdomain of
 * `sitesDomain` (`host[:port]`) or an account's own verified domain. The site is as the database has it at some
 * moment after the call. Callers who ask for one host at the same time share a look-up.
 */
export function siteFinder(db: Db, sitesDomain: string): Lookup<Site> {
  const parent = `.${sitesDomain.replace(/:\d+$/, '')}`;
  const ask = async (hosts: readonly string[]): Promise<Map<string, Site>> => {
    const found = hosts.map(async (host) => {
      const [site] = host.endsWith(parent)
        ? await selectBySubdomain(db, { subdomain: host.slice(0, -parent.length) })
        : await selectByDomain(db, { host });
      return [host, site] as const;
    });
    const sites = new Map<string, Site>();
    for (const [host, site] of await Promise.all(found)) if (site) sites.set(host, site);
    return sites;
  };
  return cacheUntilWrite(db, batchLoader(ask, { isWorthAsking: isHostName }));
}

/** Returns the site of an account, as the transaction sees it. */
export async function siteOf(trx: Trx, accountId: number): Promise<Site | undefined> {
  const [site] = await selectByAccount(trx, { accountId });
  return site;
}

/** True if the text could be the host name of a site: clients can send anything. */
function isHostName(host: string): boolean {
  return host.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host);
}

const selectBySubdomain = prepared<{ subdomain: string }, Site>((db, parameter) =>
  selectSite(db).where('accounts.subdomain', '=', parameter('subdomain')),
);

const selectByDomain = prepared<{ host: string }, Site>((db, parameter) =>
  selectSite(db)
    .innerJoin('domains', 'domains.account_id', 'accounts.id')
    .select('domains.is_app as isApp')
    .where('domains.host', '=', parameter('host'))
    .where('domains.verified_at', 'is not', null),
);

const selectByAccount = prepared<{ accountId: number }, Site>((db, parameter) =>
  selectSite(db).where('accounts.id', '=', parameter('accountId')),
);

function selectSite(db: Db) {
  return db
    .selectFrom('accounts')
    .select((e) => [
      'accounts.id as accountId',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.theme',
      'accounts.accent',
      'accounts.second_button_page_id as secondButtonPageId',
      'accounts.language',
      'accounts.time_zone as timeZone',
      'accounts.content_version as contentVersion',
      'accounts.content_changed_at as changedAt',
      primaryHost(e),
    ]);
}
