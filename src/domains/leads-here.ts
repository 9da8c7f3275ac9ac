import type { Dns, DnsAnswer } from './dns.ts';
import type { CheckResult } from './record-check.ts';

interface LeadsHereInput {
  host: string;
  /** The account's host below SITES_DOMAIN, which leads here. */
  ownHost: string;
  /** The addresses of the installation. If empty, those of `ownHost` are looked up. */
  siteAddresses: readonly string[];
}

/** The most addresses that a note contains. */
const MAX_NOTED = 5;

/**
 * Queries the DNS whether a host leads here. If not, the note says where it leads. One matching address is enough: others
 * may belong to a proxy or another location of the installation.
 */
export async function findWhereHostLeads(
  dns: Dns,
  { host, ownHost, siteAddresses }: LeadsHereInput,
): Promise<CheckResult> {
  const [found, expected] = await Promise.all([
    dns.addresses(host),
    siteAddresses.length > 0 ? ({ values: [...siteAddresses] } satisfies DnsAnswer) : dns.addresses(ownHost),
  ]);
  if ('error' in found || 'error' in expected || expected.values.length === 0)
    return { notes: [], leadsHere: undefined };
  if (found.values.some((address) => expected.values.includes(address))) return { notes: [], leadsHere: true };
  const shown = { found: found.values.slice(0, MAX_NOTED), expected: expected.values.slice(0, MAX_NOTED) };
  return { notes: [{ code: 'leads_elsewhere', name: host, ...shown }], leadsHere: false };
}
