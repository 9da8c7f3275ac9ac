import * as v from 'valibot';
import { flag, text, wholeNumber } from '../schema.ts';

/* Signing in as a person of a customer. */

/**
 * POST /admin/customer-people/ID/sign-in → 204: the browser acts for this person of a customer for 15 minutes, or until
 * POST /admin/impersonation/end → EndedImpersonationJson. Until then, all of its requests are in the customer's account. While
 * a browser may have screens of both accounts, each change has to name its own by `Session-Owner`.
 */
export const signInAsInput = v.object({ reason: text });
export type SignInAsInput = v.InferInput<typeof signInAsInput>;

export interface EndedImpersonationJson {
  /** Null if there was no impersonation. */
  customerId: number | null;
}

/** In GET /admin/session: somebody of the agency acts for the user. */
export interface ImpersonationJson {
  /** `Ana (Acme Agency)` */
  agent: string;
  agency: string;
  reason: string;
  /** In how many milliseconds it ends: the browser's clock may be wrong. */
  endsIn: number;
}

/** GET /admin/agency-access → AgencyAccessJson: 50 visits, the latest first. PATCH → 204; what is not sent stays as it is. */
export const agencyAccessQuery = v.object({ before: v.optional(wholeNumber) });
export const agencyAccessInput = v.object({
  isAllowed: v.optional(flag),
  isMailed: v.optional(flag),
});
export type AgencyAccessInput = v.InferInput<typeof agencyAccessInput>;

export interface AgencyAccessJson {
  /** Whether people of the agency may sign in as people of this account. */
  isAllowed: boolean;
  /** Whether owners are told by mail. */
  isMailed: boolean;
  visits: VisitJson[];
  hasMore: boolean;
}

export interface VisitJson {
  id: number;
  /** `Ana (Acme Agency)` */
  agent: string;
  /** The person of the account as whom they were signed in. */
  person: string;
  reason: string;
  startedAt: number;
  /** When it ended, or ends at the latest. */
  endsAt: number;
}
