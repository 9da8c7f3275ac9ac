import { Resolver } from 'node:dns/promises';

/** The answer to a DNS query: the values of all records, or an empty list if there are none. */
export type DnsAnswer = { values: string[] } | { error: string };

export interface Dns {
  /** Returns the whole text of each TXT record. */
  txt(name: string): Promise<DnsAnswer>;
  /** Returns the direct CNAME targets of the name, in lower case and without a trailing dot. */
  cname(name: string): Promise<DnsAnswer>;
  /** Returns the IPv4 and IPv6 addresses that the name finally resolves to. */
  addresses(name: string): Promise<DnsAnswer>;
  /** Ends pending queries with an error. */
  cancel(): void;
}

/** How long a server may take to answer, and how often it is asked. */
const RESOLVER_OPTIONS = { timeout: 2000, tries: 3, maxTimeout: 4000 };

/**
 * Returns a resolver that asks the given servers (`address[:port]`), or the system's if there are none. Its methods never
 * reject.
 */
export function dnsOf(servers: readonly string[], patience = RESOLVER_OPTIONS): Dns {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  return {
    txt: (name) => ask(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    cname: (name) =>
      ask(async () => (await resolver.resolveCname(name)).map((value) => value.toLowerCase().replace(/\.$/, ''))),
    addresses: async (name) => {
      const answers = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))]);
      const failed = answers.find((answer) => 'error' in answer);
      return failed ?? { values: answers.flatMap((answer) => ('values' in answer ? answer.values : [])) };
    },
    cancel: () => resolver.cancel(),
  };
}

async function ask(question: () => Promise<string[]>): Promise<DnsAnswer> {
  try {
    return { values: await question() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    // The name does not exist, or has no such record.
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { values: [] };
    return { error: code };
  }
}
