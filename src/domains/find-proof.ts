import type { Dns, DnsAnswer } from './dns.ts';
import type { DnsRecord } from './domain.ts';

export interface Proof {
  /** The record that proves it; undefined when none does. */
  by: DnsRecord['type'] | undefined;
  /** Every question was answered, so a missing proof is missing indeed. */
  isCertain: boolean;
  /** What was found instead of a proof, in whole sentences. */
  found: string;
}

/** Asks the DNS for both records that prove a host to be an account's. Never throws. */
export async function findProof(dns: Dns, records: { txt: DnsRecord; cname: DnsRecord }): Promise<Proof> {
  const [txt, cname] = await Promise.all([dns.txt(records.txt.name), dns.cname(records.cname.name)]);
  const by = has(txt, records.txt) ? 'TXT' : has(cname, records.cname) ? 'CNAME' : undefined;
  return {
    by,
    isCertain: 'values' in txt && 'values' in cname,
    found: by ? '' : `${txtFound(txt, records.txt)} ${cnameFound(cname, records.cname)}`,
  };
}

function has(answer: DnsAnswer, { value }: DnsRecord): boolean {
  return 'values' in answer && answer.values.some((found) => found.trim() === value);
}

function txtFound(answer: DnsAnswer, { name, value }: DnsRecord): string {
  if ('failure' in answer) return `TXT of ${name}: ${answer.failure}.`;
  const [first] = answer.values;
  if (first === undefined) return `There is no TXT record at ${name}.`;
  const other = answer.values.find((found) => found.includes('freehold-verify='));
  return other === undefined
    ? `The TXT record at ${name} says ${quoted(first)}, not "${value}".`
    : `The TXT record at ${name} has another token: it says ${quoted(other)}, not "${value}".`;
}

function cnameFound(answer: DnsAnswer, { name, value }: DnsRecord): string {
  if ('failure' in answer) return `CNAME of ${name}: ${answer.failure}.`;
  const [first] = answer.values;
  if (first === undefined) return `There is no CNAME record at ${name}.`;
  return `The CNAME record at ${name} points to ${quoted(first)}, not to "${value}".`;
}

/** What strangers write in the DNS may be long, and is not to move anybody's cursor. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
