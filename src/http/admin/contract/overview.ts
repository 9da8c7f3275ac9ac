import type { RevenueMovement } from '../../../db/schema.ts';

/*
 * GET /admin/overview: what needs somebody today, and where the business stands. It takes no parameters. Days are those of the
 * account's time zone, YYYY-MM-DD.
 */

export interface OverviewJson {
  /** The most urgent first; what is in order is left out. Needs of the account itself are only for those who may change its settings. */
  attention: AttentionJson[];
  /** Whether no mail server is set up: messages are written to files, and nobody receives them. */
  isMailKept: boolean;
  /** The last day on which customers were created that count as never signed in, YYYY-MM-DD. */
  createdUntil: string;
  /** The last 30 days. */
  days: { from: string; to: string };
  /** Active customers at the end of the days, and how many more there are than before them. */
  customers: { active: number; change: number };
  /** Null for those who may not see revenue. */
  revenue: OverviewRevenueJson | null;
  /** The first steps of somebody without customers; null once a customer has signed in, and for those who may not create any. */
  steps: FirstStepsJson | null;
}

export interface OverviewRevenueJson {
  /** The MRR at the end of the days, as a decimal. */
  mrr: string;
  /** How much more that is than before the days, in exact cents a year. */
  changeCents: number;
  /** The movements in these days. */
  movements: Record<RevenueMovement, { annualCents: number; count: number }>;
  /** The revenue at the end of each of the last twelve months. The last ends today. */
  months: { from: string; annualCents: number }[];
}

/** Which steps to the first customer are done. */
export interface FirstStepsJson {
  hasPlan: boolean;
  hasCustomer: boolean;
}

export type AttentionKind =
  | 'mail_failed'
  | 'never_signed_in'
  | 'domains_failing'
  | 'changes_failed'
  | 'at_limit'
  | 'own_domains_failing'
  | 'keys_expiring';

export interface AttentionJson {
  kind: AttentionKind;
  count: number;
  /** The first few: customers, or the account's own domains or keys. */
  first: { id: number; name: string }[];
}
