import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import type { ScheduleFailure } from '../../../scheduled-changes/scheduled-change.ts';
import { integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { FieldError, RefusedJson, Role } from './common.ts';
import type { VisitJson } from './impersonations.ts';
import type { PlanUsageJson } from './plans.ts';

/*
 * The customers of the account: the accounts that were created under it.
 */

/** Which customers are listed. `from` and `to` are days in the account's time zone, on which they were created. */
const customerFilter = {
  plan: v.optional(wholeNumber),
  /** The template that their site was made from. */
  template: v.optional(wholeNumber),
  state: v.optional(oneOf(['active', 'suspended'] as const)),
  signedIn: v.optional(oneOf(['never'] as const)),
  mail: v.optional(oneOf(['failed'] as const)),
  domain: v.optional(oneOf(['failing'] as const)),
  /** As much of something as the plan allows. */
  usage: v.optional(oneOf(['full'] as const)),
  /** A scheduled change of plan. */
  change: v.optional(oneOf(['waiting', 'failed'] as const)),
  from: v.optional(text),
  to: v.optional(text),
};
const customerFilterQuery = v.object(customerFilter);
export type CustomerFilterQuery = v.InferOutput<typeof customerFilterQuery>;

/**
 * GET /admin/customers?sort=newest|oldest|name&after=NEXT: 50 customers, the latest first. With `q`, 50 at most by name: those
 * whose name or subdomain begins with it, or which have a person with this mail address or this domain.
 */
export const customersQuery = v.object({
  ...customerFilter,
  sort: v.optional(oneOf(['newest', 'oldest', 'name'] as const), 'newest'),
  after: v.optional(text),
  q: v.optional(text),
  /** How many customers at most, up to 500. */
  limit: v.optional(wholeNumber, '50'),
});

/** GET /admin/customers.csv: all of the same customers in the same order, as a file of CSV. */
export const customersCsvQuery = v.omit(customersQuery, ['after', 'limit']);

/** The query as the app writes it into the address. */
export type CustomersQuery = Record<string, string>;

export interface CustomersJson {
  /** May be few, or none, although there are more: a filter is not tried on all customers for one answer. */
  customers: CustomerJson[];
  /** The `after` of the next part; null for the last part, and always for a search. */
  next: string | null;
  hasMore: boolean;
  /** How many active customers there are altogether, on any plan. */
  active: number;
}

export interface CustomerJson {
  id: number;
  name: string;
  subdomain: string;
  /** The address of its site. */
  address: string;
  status: 'active' | 'suspended';
  /** Why it is suspended, as its people read it. */
  suspensionReason: string | null;
  createdAt: number;
  planId: number;
  plan: PlanJson;
  /** The day `YYYY-MM-DD` from which on it pays; null unless its trial is on. */
  trialEndsOn: string | null;
  /** The change of its plan that is scheduled, or could not be made. */
  scheduled: ScheduledChangeJson | null;
}

export interface ScheduledChangeJson {
  id: number;
  planId: number;
  /** The plan that the customer is to get, as it is now. */
  plan: PlanJson;
  /** `YYYY-MM-DD`, at whose beginning it is made. */
  day: string;
  /** Why it could not be made; null while it waits for its day. */
  failure: ScheduleFailure | null;
}

export type { ScheduleFailure };

interface PlanJson {
  name: string;
  priceCents: number;
  interval: Interval;
}

/**
 * POST /admin/customers → 201 CreatedCustomerJson. The person chooses a password by a mailed link. Sent again within ten
 * minutes, it answers 200 with the customer that is there.
 */
export const createCustomerInput = v.object({
  name: text,
  subdomain: text,
  /** The name and address of the first person. */
  userName: text,
  email: text,
  /** Without one, the default plan. */
  planId: v.optional(integer),
  /** The website's language. By default it is copied from the site that it starts from, or from the account's own. */
  language: v.optional(text),
  /** The website starts from a template, or from the site of a customer or of the account itself; by default from default pages. */
  templateId: v.optional(integer),
  siteId: v.optional(integer),
});
export type CreateCustomerInput = v.InferInput<typeof createCustomerInput>;

export interface CreatedCustomerJson {
  id: number;
}

/** GET /admin/customers/subdomain?subdomain=TEXT: whether a new customer can have it. */
export const subdomainQuery = v.object({ subdomain: text });

export interface SubdomainJson {
  /** The address that the site would have; null if there is a problem. */
  address: string | null;
  problem: FieldError | null;
}

/** GET /admin/customers/ID. History and mail are the latest 50 of each, the latest first. */
export interface CustomerDetailsJson extends CustomerJson {
  /** When it is deleted for good; null unless it is deleted. */
  deletesAt: number | null;
  /** The ledger's lines, with names and prices as they were. */
  history: { kind: PlanChangeKind; from: PlanJson | null; to: PlanJson | null; isTrial: boolean; at: number }[];
  people: {
    id: number;
    name: string;
    email: string;
    role: Role;
    hasPassword: boolean;
    /** When the person chose a password by a mailed link; null if they have not, or have another address since. */
    openedLinkAt: number | null;
    hasSignedIn: boolean;
    /** When the person last used a session; null for never, or too long ago. */
    lastSeenAt: number | null;
  }[];
  /** Until when the first person can choose a password by the last link; null if it was used or is long over. */
  linkWorksUntil: number | null;
  mail: {
    id: number;
    to: string;
    subject: string;
    status: MailStatus;
    attempts: number;
    /** The mail server's words. */
    lastError: string | null;
    createdAt: number;
    sentAt: number | null;
    /** Whether GET /admin/customer-messages/ID has its text: login instructions only. */
    hasText: boolean;
  }[];
  domains: { host: string; isVerified: boolean }[];
  /** Whether visitors see a page: GET /admin/customers/ID/picture shows the first one, as a document for a frame. */
  hasPage: boolean;
  limits: PlanUsageJson;
  /** Whether people of the account may sign in as these people. */
  isSignInAllowed: boolean;
  /** When they did, the latest 50. */
  visits: VisitJson[];
}

/** GET /admin/customer-messages/ID: login instructions as they were sent, without the secret of the link. */
export interface CustomerMessageJson {
  to: string;
  subject: string;
  text: string;
}

/** GET /admin/customers/ID/log?before=ID: what the account's log says of the customer, 20 at a time, the latest first. */
export const customerLogQuery = v.object({ before: v.optional(wholeNumber) });

export interface CustomerLogJson {
  entries: CustomerEventJson[];
  hasMore: boolean;
}

export interface CustomerEventJson {
  id: number;
  actor: string;
  /** Null for the operator and the service. */
  userId: number | null;
  action: string;
  details: Record<string, unknown>;
  at: number;
}

/** POST /admin/customers/ID/instructions → ResentJson. Without an address, they go to the one that the first person has. */
export const resendInput = v.object({ email: v.optional(text) });
export type ResendInput = v.InferInput<typeof resendInput>;

export interface ResentJson {
  email: string;
}

type PlanChangeKind = 'created' | 'moved' | 'suspended' | 'restored' | 'trial_ended';
/** `kept`: written to a file, since there was no mail server. */
type MailStatus = 'queued' | 'sent' | 'kept' | 'failed';

/** POST /admin/customers/ID/plan → CustomerChangeJson. `seenPlanId` is the plan that the person saw the customer on. */
export const customerPlanInput = v.object({ planId: integer, seenPlanId: integer });
export type CustomerPlanInput = v.InferInput<typeof customerPlanInput>;

/**
 * PUT /admin/customers/ID/scheduled-change → CustomerChangeJson. `seenId` is the scheduled change that the person saw, which this
 * one replaces.
 */
export const scheduleInput = v.object({ planId: integer, day: text, seenId: v.nullable(integer) });
export type ScheduleInput = v.InferInput<typeof scheduleInput>;

/** POST /admin/customers/ID/scheduled-change/cancel → CustomerChangeJson */
export const cancelScheduledInput = v.object({ seenId: integer });
export type CancelScheduledInput = v.InferInput<typeof cancelScheduledInput>;

/** POST /admin/customers/ID/scheduled-change/restore → CustomerChangeJson. Undoes that a change was cancelled or replaced. */
export const restoreScheduledInput = v.object({ scheduledId: integer, seenId: v.nullable(integer) });
export type RestoreScheduledInput = v.InferInput<typeof restoreScheduledInput>;

/** POST /admin/customers/ID/suspend → CustomerChangeJson. Its people read the reason when they sign in. */
export const suspendCustomerInput = v.object({ reason: text });
export type SuspendCustomerInput = v.InferInput<typeof suspendCustomerInput>;

/** POST /admin/customers/ID/restore → CustomerChangeJson. `seenReason` is the reason that the person saw. */
export const restoreCustomerInput = v.object({ seenReason: v.nullable(text) });
export type RestoreCustomerInput = v.InferInput<typeof restoreCustomerInput>;

/** DELETE /admin/customers/ID, POST /admin/customers/ID/undelete → CustomerChangeJson */
export interface CustomerChangeJson {
  /** The customer before the change: what undoing it needs. */
  before: CustomerStateJson;
  now: CustomerStateJson;
}

export interface CustomerStateJson {
  status: 'active' | 'suspended';
  suspensionReason: string | null;
  deletesAt: number | null;
  plan: PlanJson & { id: number };
  scheduled: ScheduledChangeJson | null;
}

const changed = { id: integer };

/** One change of a customer, as the routes for one customer make it. */
const customerChange = v.variant(
  'kind',
  [
    v.object({ kind: v.literal('plan'), ...changed, planId: integer, seenPlanId: integer }),
    v.object({ kind: v.literal('schedule'), ...changed, ...scheduleInput.entries }),
    v.object({ kind: v.literal('unschedule'), ...changed, ...cancelScheduledInput.entries }),
    v.object({ kind: v.literal('reschedule'), ...changed, ...restoreScheduledInput.entries }),
    v.object({ kind: v.literal('suspend'), ...changed, reason: text }),
    v.object({ kind: v.literal('restore'), ...changed, seenReason: v.nullable(text) }),
    v.object({ kind: v.literal('delete'), ...changed }),
    v.object({ kind: v.literal('undelete'), ...changed }),
  ],
  'must be a change of a customer',
);
export type CustomerChange = v.InferOutput<typeof customerChange>;

/** POST /admin/customers/changes → CustomerChangesJson. At most 100 changes, each made or refused by itself. */
export const customerChangesInput = v.object({ changes: v.array(customerChange, 'must be a list') });

/** The results of the changes in their order. If there are fewer than changes, the rest was not tried. */
export interface CustomerChangesJson {
  results: CustomerResultJson[];
}

/** The result of one change: the customer before and after it, or why it was refused. */
export type CustomerResultJson = (CustomerChangeJson & { id: number }) | RefusedJson;

/** GET /admin/customers/deleted: the customers that can be restored, the next to be deleted for good first; 200 at most. */
export interface DeletedCustomersJson {
  customers: { id: number; name: string; subdomain: string; deletesAt: number }[];
}
