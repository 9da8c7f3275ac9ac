import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { DomainsTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { siteHost } from './host-name.ts';

export type DomainRow = Selectable<DomainsTable>;

/** A record in the DNS. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
}

/** Returns the record that proves that a host is the account's, and does nothing else. */
export function txtRecord({ host, token }: { host: string; token: string }): DnsRecord {
  return { type: 'TXT', name: `_freehold.${host}`, value: `freehold-verify=${token}` };
}

/** The record that proves it and leads visitors to the account's site. */
export function cnameRecord(host: string, subdomain: string, sitesDomain: string): DnsRecord {
  return { type: 'CNAME', name: host, value: `${subdomain}.${siteHost(sitesDomain)}` };
}

/** @throws AppError `not_found` when the account has no such domain, whoever else may have. */
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
