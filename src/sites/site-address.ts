import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Site } from './site.ts';

/** What of the configuration addresses are made of. */
export interface SiteAddresses {
  publicUrl: string;
  /** `host[:port]` under which every account has its subdomain. */
  sitesDomain: string;
}

/**
 * A site's one address, without a slash at the end: its primary domain, or else its subdomain. All are served as
 * securely as the service itself, and at the port of the sites domain.
 */
export function siteAddress(
  { subdomain, primaryHost }: Pick<Site, 'subdomain' | 'primaryHost'>,
  { publicUrl, sitesDomain }: SiteAddresses,
): string {
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? '';
  const host = primaryHost === null ? `${subdomain}.${sitesDomain}` : `${primaryHost}${port}`;
  return `${new URL(publicUrl).protocol}//${host}`;
}

/** The first verified domain of an account's own, as a column; null where it has none. */
export function primaryHost(e: ExpressionBuilder<Schema, 'accounts'>) {
  return e
    .selectFrom('domains as first')
    .select('first.host')
    .whereRef('first.account_id', '=', 'accounts.id')
    .where('first.verified_at', 'is not', null)
    .orderBy('first.id')
    .limit(1)
    .as('primaryHost');
}
