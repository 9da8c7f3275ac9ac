import { Resolver } from 'node:dns/promises';

/** The answer to one DNS query: the values of all records, none if there is no such record. */
export type DnsAnswer = { values: string[] } | { error: string };

export interface Dns {
  /** Returns the whole text of each TXT record. */
  txt(name: string): Promise<DnsAnswer>;
  /** The names that the name stands for, in lower case and without a dot at the end; the first step of several. */
  cname(name: string): Promise<DnsAnswer>;
  /** The addresses, of IPv4 and IPv6, that the name leads to at last. */
  addresses(name: string): Promise<DnsAnswer>;
  /** Ends the questions that are under way with an error. */
  cancel(): void;
}

/** How long one server may take for an answer, and how often it is asked. */
const RESOLVER_OPTIONS = { timeout: 2000, tries: 3, maxTimeout: 4000 };

/**
 * Returns a resolver that asks these servers (`address[:port]`), or the system's if there are none. It never rejects.
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
    // No such name, or no such record of it.
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { values: [] };
    return { error: code };
  }
}
