import * as v from 'valibot';
import { flag, text, wholeNumber } from '../schema.ts';

/* Impersonation: signing in as a user of a customer. */

/**
 * POST /admin/customer-people/ID/sign-in → 204. The browser then acts for this user of a customer for 15 minutes, or until
 * POST /admin/impersonation/end → EndedImpersonationJson. Meanwhile, all of its requests apply to the customer's account. Since
 * browser tabs of both accounts may be open, each change must name the account that it is for in `Session-Owner`.
 */
export const signInAsInput = v.object({ reason: text });
export type SignInAsInput = v.InferInput<typeof signInAsInput>;

export interface EndedImpersonationJson {
  /** Null if there was no impersonation. */
  customerId: number | null;
}

/** The impersonation of the user by the agency. Part of GET /admin/session. */
export interface ImpersonationJson {
  /** Such as `Ana (Acme Agency)`. */
  agent: string;
  agency: string;
  reason: string;
  /** The remaining time in milliseconds. Not a point in time, because the browser's clock may be wrong. */
  endsIn: number;
}

/** GET /admin/agency-access → AgencyAccessJson: 50 visits, the latest first. PATCH → 204; omitted fields stay as they are. */
export const agencyAccessQuery = v.object({ before: v.optional(wholeNumber) });
export const agencyAccessInput = v.object({
  isAllowed: v.optional(flag),
  isMailed: v.optional(flag),
});
export type AgencyAccessInput = v.InferInput<typeof agencyAccessInput>;

export interface AgencyAccessJson {
  /** True if users of the agency may sign in as users of this account. */
  isAllowed: boolean;
  /** True if owners are notified by mail. */
  isMailed: boolean;
  visits: VisitJson[];
  hasMore: boolean;
}

export interface VisitJson {
  id: number;
  /** Such as `Ana (Acme Agency)`. */
  agent: string;
  /** The impersonated user of the account. */
  person: string;
  reason: string;
  startedAt: number;
  /** When the visit ended, or the latest time at which it ends. */
  endsAt: number;
}
