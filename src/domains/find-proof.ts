import type { Dns, DnsAnswer } from './dns.ts';
import type { cnameRecord, formerTxtRecord, txtRecord } from './domain.ts';
import type { DomainNote } from './domain-note.ts';
import { zoneOf } from './zone.ts';

/** A record that proves that an account owns a host. */
type ProofRecord = ReturnType<typeof txtRecord | typeof formerTxtRecord | typeof cnameRecord>;

export interface Proof {
  /** The type of the record that proves ownership; undefined if none does. */
  by: 'TXT' | 'CNAME' | undefined;
  /** True if every query was answered, so that a missing proof is really missing. */
  isCertain: boolean;
  /** The problems that were found if there is no proof. */
  found: DomainNote[];
}

interface ProofRecords {
  readonly txt: ProofRecord;
  /** Proves ownership like `txt`, but is no longer documented. */
  readonly formerTxt: ProofRecord;
  readonly cname: ProofRecord;
}

/** Queries the DNS for the records that prove that an account owns a host. Never throws. */
export async function findProof(dns: Dns, records: ProofRecords): Promise<Proof> {
  const [txt, formerTxt, cname] = await Promise.all([
    dns.txt(records.txt.name),
    dns.txt(records.formerTxt.name),
    dns.cname(records.cname.name),
  ]);
  const isProved = contains(txt, records.txt) || contains(formerTxt, records.formerTxt);
  const by = isProved ? 'TXT' : contains(cname, records.cname) ? 'CNAME' : undefined;
  return {
    by,
    isCertain: [txt, formerTxt, cname].every((answer) => 'values' in answer),
    found: by ? [] : [txtFound(txt, records.txt), ...cnameFound(cname, records.cname)],
  };
}

function contains(answer: DnsAnswer, { value }: ProofRecord): boolean {
  return 'values' in answer && answer.values.some((found) => found.trim() === value);
}

function txtFound(answer: DnsAnswer, record: ProofRecord): DomainNote {
  const other = 'values' in answer && answer.values.find((found) => found.includes('website-verify='));
  if (!other) return recordFound(answer, record);
  return { code: 'other_token', name: record.name, found: shortened(other), expected: record.value };
}

/** Returns the note about the CNAME record. A missing one is not reported at the top of a domain, which cannot have one. */
function cnameFound(answer: DnsAnswer, record: ProofRecord): DomainNote[] {
  const note = recordFound(answer, record);
  return note.code === 'no_record' && zoneOf(record.name) === record.name ? [] : [note];
}

function recordFound(answer: DnsAnswer, { type, name, value }: ProofRecord): DomainNote {
  if ('error' in answer) return { code: 'dns_failed', type, name, error: answer.error };
  const [first] = answer.values;
  if (first === undefined) return { code: 'no_record', type, name };
  return { code: 'other_record', type, name, found: shortened(first), expected: value };
}

/** Shortens text from the DNS: strangers write it, so it may be long. */
function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
