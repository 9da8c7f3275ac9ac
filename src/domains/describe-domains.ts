import type { Db, Trx } from '../db/database.ts';
import { type DnsRecord, recordsOf } from './domain.ts';
import { type DomainNote, notesOf } from './domain-note.ts';
import { type ListedDomain, listDomains } from './list-domains.ts';

export interface DescribedDomain extends ListedDomain {
  /** The DNS records from which the owner chooses. */
  records: DnsRecord[];
  /** The problems that the last check found. */
  notes: DomainNote[];
}

/** Returns the account's domains in the order they were added, with the DNS records to create. */
export async function describeDomains(
  db: Db | Trx,
  accountId: number,
  config: { sitesDomain: string; sitesAddresses: readonly string[] },
): Promise<DescribedDomain[]> {
  const { subdomain } = await db
    .selectFrom('accounts')
    .select('subdomain')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const domains = await listDomains(db, accountId);
  return domains.map((domain) => ({
    ...domain,
    records: recordsOf(domain, subdomain, config),
    notes: notesOf(domain),
  }));
}
