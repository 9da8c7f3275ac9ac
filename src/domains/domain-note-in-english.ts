import { type DomainNote, notesOf } from './domain-note.ts';

/** Returns the problems that a domain's last check found, in sentences; null if there are none. */
export function lastError(domain: { last_error: string | null }): string | null {
  const notes = notesOf(domain);
  return notes.length === 0 ? null : notes.map(noteInEnglish).join(' ');
}

/** Returns the sentence for a note, which the API and the command line print. */
export function noteInEnglish(note: DomainNote): string {
  switch (note.code) {
    case 'dns_failed':
      return `${note.type} of ${note.name}: ${failures[note.error] ?? `the DNS query failed (${note.error})`}.`;
    case 'no_record':
      return `There is no ${note.type} record at ${note.name}.`;
    case 'other_record': {
      const found = note.type === 'TXT' ? `says ${quoted(note.found)}, not` : `points to ${quoted(note.found)}, not to`;
      return `The ${note.type} record at ${note.name} ${found} "${note.expected}".`;
    }
    case 'other_token':
      return `The TXT record at ${note.name} has another token: it says ${quoted(note.found)}, not "${note.expected}".`;
    case 'leads_elsewhere':
      return note.found.length === 0
        ? `${note.name} has no A or AAAA record: visitors find nothing there.`
        : `${note.name} leads to ${note.found.join(', ')}, not to ${note.expected.join(', ')}.`;
    case 'held_with_proof':
      return `${HELD} It can be moved when that account removes it, or when its proof is gone from the DNS.`;
    case 'held_until_txt':
      return `${HELD} It can be moved when that account removes it, or with the TXT record.`;
    case 'lost':
      return 'Another account has proved that the domain is theirs.';
  }
}

const HELD = 'The domain is verified for another account.';

const failures: Readonly<Record<string, string>> = {
  ETIMEOUT: 'the DNS server did not answer in time',
  ECONNREFUSED: 'the DNS server could not be reached',
  ESERVFAIL: 'the DNS server failed (SERVFAIL)',
  EREFUSED: 'the DNS server refused to answer',
};

/** Quotes the text of a DNS record. Strangers write it, so it must not bring control characters to a terminal. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
