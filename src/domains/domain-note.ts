/** A problem that a check of a domain found: its code and the parameters of its sentence. */
export type DomainNote =
  /** A DNS query had no answer. `error` is the resolver's code, such as `ETIMEOUT`. */
  | { readonly code: 'dns_failed'; readonly type: 'TXT' | 'CNAME'; readonly name: string; readonly error: string }
  | { readonly code: 'no_record'; readonly type: 'TXT' | 'CNAME'; readonly name: string }
  | ({ readonly code: 'other_record'; readonly type: 'TXT' | 'CNAME' } & Mismatch)
  /** A TXT record for verification, but with the token of another account or of an earlier claim. */
  | ({ readonly code: 'other_token' } & Mismatch)
  /** The domain is proved, but leads to other addresses, or to none. */
  | {
      readonly code: 'leads_elsewhere';
      readonly name: string;
      readonly found: readonly string[];
      readonly expected: readonly string[];
    }
  /** Another account has verified the domain, and its proof still exists. */
  | { readonly code: 'held_with_proof' }
  /** Another account has verified the domain, and only a TXT record can move it. */
  | { readonly code: 'held_until_txt' }
  /** The domain was verified, until another account proved that it owns the domain. */
  | { readonly code: 'lost' };

interface Mismatch {
  readonly name: string;
  /** At most 100 characters, since strangers write it. */
  readonly found: string;
  readonly expected: string;
}

/** Returns the notes in the form of the column `domains.last_error`. */
export function storedNotes(notes: readonly DomainNote[]): string {
  return JSON.stringify(notes);
}

/** Returns the notes of a domain's last check; empty if nothing was wrong. */
export function notesOf({ last_error }: { last_error: string | null }): DomainNote[] {
  return last_error === null ? [] : (JSON.parse(last_error) as DomainNote[]);
}
