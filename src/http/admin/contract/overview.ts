/*
 * GET /admin/overview: what needs somebody today. It takes no parameters.
 */

export interface OverviewJson {
  /** The most urgent first; what is in order is left out. Needs of the account itself are only for those who may change its settings. */
  attention: AttentionJson[];
  /** The last day on which customers were created that count as never signed in, YYYY-MM-DD in the account's time zone. */
  createdUntil: string;
}

export type AttentionKind =
  | 'mail_failed'
  | 'never_signed_in'
  | 'domains_failing'
  | 'own_domains_failing'
  | 'keys_expiring';

export interface AttentionJson {
  kind: AttentionKind;
  count: number;
  /** The first few: customers, or the account's own domains or keys. */
  first: { id: number; name: string }[];
}
