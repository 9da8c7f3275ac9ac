import type { RevenueMovement } from '../../../db/schema.ts';

/*
 * GET /admin/overview: what needs attention today, and the state of the business. It has no parameters. Days are in the
 * account's time zone, written YYYY-MM-DD.
 */

export interface OverviewJson {
  /** The most urgent kind first. The account's own domains and keys are only for users who may change its settings. */
  attention: AttentionJson[];
  /** True if no mail server is set up: messages are written to files, and nobody receives them. */
  isMailKept: boolean;
  /**
   * The last day on which a customer must have been created to be reported as never signed in. Customers created later are not
   * reported yet.
   */
  createdUntil: string;
  /** The last 30 days. */
  days: { from: string; to: string };
  /** The number of active customers at the end of `days`, and its increase since their beginning. */
  customers: { active: number; change: number };
  /** Null for users who may not see revenue. */
  revenue: OverviewRevenueJson | null;
  /** The steps to the first customer; null once a customer has signed in, and for users who may not create customers. */
  steps: FirstStepsJson | null;
}

export interface OverviewRevenueJson {
  /** The MRR at the end of `days`, as a decimal. */
  mrr: string;
  /** The increase of the revenue in `days`, in exact cents a year. */
  changeCents: number;
  /** The movements in `days`. */
  movements: Record<RevenueMovement, { annualCents: number; count: number }>;
  /** The revenue at the end of each of the last twelve months. The last month ends today. */
  months: { from: string; annualCents: number }[];
}

/** The steps to the first customer: true for each that is done. */
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
  /** The first few customers, or own domains or keys of the account. */
  first: { id: number; name: string }[];
}
