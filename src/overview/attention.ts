/** Reasons why an account's customers, or the account itself, need a person. */
export type AttentionKind =
  /** Customers whose login instructions could not be sent. */
  | 'mail_failed'
  /** Customers whose people have not signed in within a week of the creation. */
  | 'never_signed_in'
  /** Customers with a domain that is not verified, or whose visitors come here no longer. */
  | 'domains_failing'
  /** Customers that have as much of something as their plan allows. */
  | 'at_limit'
  /** Customers whose scheduled change of plan could not be made. */
  | 'changes_failed'
  /** The account's own domains of which that is true. */
  | 'own_domains_failing'
  /** The account's own API keys that are about to expire. */
  | 'keys_expiring';

export interface Attention {
  kind: AttentionKind;
  count: number;
  /** The first few of them. */
  first: { id: number; name: string }[];
}

/** How many are named. */
export const MAX_NAMED = 3;
