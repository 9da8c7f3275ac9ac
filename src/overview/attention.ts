/** Reasons why an account's customers, or the account itself, need attention. */
export type AttentionKind =
  /** Customers whose login instructions could not be sent. */
  | 'mail_failed'
  /** Customers whose people have not signed in within a week of the customer's creation. */
  | 'never_signed_in'
  /** Customers with a domain that is not verified, or no longer leads visitors here. */
  | 'domains_failing'
  /** Customers that use as much of something as their plan allows. */
  | 'at_limit'
  /** Customers whose scheduled change of plan failed. */
  | 'changes_failed'
  /** The account's own domains that are not verified, or no longer lead visitors here. */
  | 'own_domains_failing'
  /** The account's own API keys that are about to expire. */
  | 'keys_expiring';

export interface Attention {
  kind: AttentionKind;
  count: number;
  /** The first few customers, domains or keys concerned. */
  first: { id: number; name: string }[];
}

/** How many customers, domains or keys are named at most. */
export const MAX_NAMED = 3;
