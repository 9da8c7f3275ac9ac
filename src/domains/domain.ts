import { isIPv6 } from 'node:net';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { DomainsTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { siteHost } from './host-name.ts';
import { zoneOf } from './zone.ts';

export type DomainRow = Selectable<DomainsTable>;

/** A DNS record. ALIAS stands for the providers' substitutes for a CNAME at the top of a domain. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
  name: string;
  value: string;
}

/** Returns the TXT record that proves that the account owns a host, and has no other effect. */
export function txtRecord({ host, token }: { host: string; token: string }) {
  return { type: 'TXT', name: `_website.${host}`, value: `website-verify=${token}` } as const;
}

/** Returns the TXT record that versions before 1.0 asked for. It is still accepted as a proof. */
export function formerTxtRecord({ host, token }: { host: string; token: string }) {
  return { type: 'TXT', name: `_freehold.${host}`, value: `freehold-verify=${token}` } as const;
}

/** Returns the CNAME record, which proves ownership of the host and leads visitors to the account's site. */
export function cnameRecord(host: string, subdomain: string, sitesDomain: string) {
  return { type: 'CNAME', name: host, value: `${subdomain}.${siteHost(sitesDomain)}` } as const;
}

interface RecordSettings {
  sitesDomain: string;
  sitesAddresses: readonly string[];
}

/**
 * Returns the records from which the owner chooses: at the top of a domain TXT, and either A and AAAA or ALIAS; at any
 * other host TXT or CNAME.
 */
export function recordsOf(
  domain: { host: string; token: string },
  subdomain: string,
  { sitesDomain, sitesAddresses }: RecordSettings,
): DnsRecord[] {
  const txt = txtRecord(domain);
  const cname = cnameRecord(domain.host, subdomain, sitesDomain);
  if (zoneOf(domain.host) !== domain.host) return [txt, cname];
  const addresses = sitesAddresses.map(
    (value): DnsRecord => ({ type: isIPv6(value) ? 'AAAA' : 'A', name: domain.host, value }),
  );
  return [txt, ...addresses, { ...cname, type: 'ALIAS' }];
}

/**
 * Returns the account's domain with the host. @throws AppError `not_found` if the account has no such domain, even if
 * another account has
 */
export async function getDomain(db: Db | Trx, accountId: number, host: string): Promise<DomainRow> {
  const domain = await db
    .selectFrom('domains')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('host', '=', host)
    .executeTakeFirst();
  if (!domain) throw new AppError('not_found', `The account has no domain "${host}".`);
  return domain;
}
