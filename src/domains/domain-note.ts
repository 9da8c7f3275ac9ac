/** A problem that a check of a domain found: its code and the parameters of its sentence. */
export type DomainNote =
  /** A question had no answer; `error` is the resolver's code: `ETIMEOUT`. */
  | { readonly code: 'dns_failed'; readonly type: 'TXT' | 'CNAME'; readonly name: string; readonly error: string }
  | { readonly code: 'no_record'; readonly type: 'TXT' | 'CNAME'; readonly name: string }
  | ({ readonly code: 'other_record'; readonly type: 'TXT' | 'CNAME' } & Mismatch)
  /** A TXT record of this service's, for another account or of an earlier claim. */
  | ({ readonly code: 'other_token' } & Mismatch)
  /** It is proved, but its visitors come to other addresses, or to none. */
  | {
      readonly code: 'leads_elsewhere';
      readonly name: string;
      readonly found: readonly string[];
      readonly expected: readonly string[];
    }
  /** It is verified for another account, which has not lost its proof. */
  | { readonly code: 'held_with_proof' }
  /** It is verified for another account, and only a TXT record can take it from there. */
  | { readonly code: 'held_until_txt' }
  /** It was verified, until another account proved that it is theirs. */
  | { readonly code: 'lost' };

interface Mismatch {
  readonly name: string;
  /** At most 100 characters of it: strangers write it. */
  readonly found: string;
  readonly expected: string;
}

/** Returns the notes as `domains.last_error` keeps them. */
export function storedNotes(notes: readonly DomainNote[]): string {
  return JSON.stringify(notes);
}

/** Returns the notes of a domain's last check; none where nothing was wrong. */
export function notesOf({ last_error }: { last_error: string | null }): DomainNote[] {
  return last_error === null ? [] : (JSON.parse(last_error) as DomainNote[]);
}
