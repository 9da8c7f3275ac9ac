import * as v from 'valibot';
import type { Interval } from '../../../db/schema.ts';
import type { ScheduleFailure } from '../../../scheduled-changes/scheduled-change.ts';
import { integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { FieldError, RefusedJson, Role } from './common.ts';
import type { VisitJson } from './impersonations.ts';
import type { PlanUsageJson } from './plans.ts';

/* The customers of the account: the accounts that were created under it. */

/** Selects customers. `from` and `to` bound the day of their creation, in the account's time zone. */
const customerFilter = {
  plan: v.optional(wholeNumber),
  /** The id of the template that the customer's site was created from. */
  template: v.optional(wholeNumber),
  state: v.optional(oneOf(['active', 'suspended'] as const)),
  signedIn: v.optional(oneOf(['never'] as const)),
  mail: v.optional(oneOf(['failed'] as const)),
  domain: v.optional(oneOf(['failing'] as const)),
  /** `full` selects customers that have reached a limit of their plan. */
  usage: v.optional(oneOf(['full'] as const)),
  /** The state of the customer's scheduled change of plan. */
  change: v.optional(oneOf(['waiting', 'failed'] as const)),
  from: v.optional(text),
  to: v.optional(text),
};
const customerFilterQuery = v.object(customerFilter);
export type CustomerFilterQuery = v.InferOutput<typeof customerFilterQuery>;

/**
 * GET /admin/customers?sort=newest|oldest|name&after=NEXT: 50 customers, by default the newest first. With `q`, up to 50
 * customers by name: those whose name or subdomain begins with `q`, or with `q` as a user's mail address or as a domain.
 */
export const customersQuery = v.object({
  ...customerFilter,
  sort: v.optional(oneOf(['newest', 'oldest', 'name'] as const), 'newest'),
  after: v.optional(text),
  q: v.optional(text),
  /** The maximum number of customers, up to 500. */
  limit: v.optional(wholeNumber, '50'),
});

/** GET /admin/customers.csv: all customers that GET /admin/customers lists, in its order, as a CSV file. */
export const customersCsvQuery = v.omit(customersQuery, ['after', 'limit']);

/** The query as the app writes it into a URL. */
export type CustomersQuery = Record<string, string>;

export interface CustomersJson {
  /** May be short or empty although more follow: one answer does not try a filter on all customers. */
  customers: CustomerJson[];
  /** The `after` of the next part; null for the last part, and always for a search. */
  next: string | null;
  hasMore: boolean;
  /** The number of active customers, whatever the filter. */
  active: number;
}

export interface CustomerJson {
  id: number;
  name: string;
  subdomain: string;
  /** The URL of the customer's site. */
  address: string;
  status: 'active' | 'suspended';
  /** Why the customer is suspended, as its users read it. */
  suspensionReason: string | null;
  createdAt: number;
  planId: number;
  plan: PlanJson;
  /** The first day that the customer pays for, `YYYY-MM-DD`; null unless it is in its trial. */
  trialEndsOn: string | null;
  /** The change of plan that is scheduled, or could not be made. */
  scheduled: ScheduledChangeJson | null;
}

export interface ScheduledChangeJson {
  id: number;
  planId: number;
  /** The plan that the customer is to get, with its present name and price. */
  plan: PlanJson;
  /** The day at whose beginning the change is made, `YYYY-MM-DD`. */
  day: string;
  /** Why the change could not be made; null while it waits for its day. */
  failure: ScheduleFailure | null;
}

export type { ScheduleFailure };

interface PlanJson {
  name: string;
  priceCents: number;
  interval: Interval;
}

/**
 * POST /admin/customers → 201 CreatedCustomerJson. The first user gets a link by mail to choose a password. If the request is
 * sent again within ten minutes, the answer is 200 with the customer that was created before.
 */
export const createCustomerInput = v.object({
  name: text,
  subdomain: text,
  /** The name and mail address of the first user. */
  userName: text,
  email: text,
  /** The default plan if omitted. */
  planId: v.optional(integer),
  /** The website's language. By default, the language of the copied site, or else of the account's own site. */
  language: v.optional(text),
  /** What the new site is copied from: a template, or a site of a customer or of the account. By default it has default pages. */
  templateId: v.optional(integer),
  siteId: v.optional(integer),
});
export type CreateCustomerInput = v.InferInput<typeof createCustomerInput>;

export interface CreatedCustomerJson {
  id: number;
}

/** GET /admin/customers/subdomain?subdomain=TEXT: tells whether a new customer can have the subdomain. */
export const subdomainQuery = v.object({ subdomain: text });

export interface SubdomainJson {
  /** The URL that the site would have; null if there is a problem. */
  address: string | null;
  problem: FieldError | null;
}

/** GET /admin/customers/ID. `history` and `mail` have the latest 50 entries each, the latest first. */
export interface CustomerDetailsJson extends CustomerJson {
  /** When the deleted customer is purged; null unless it is deleted. */
  deletesAt: number | null;
  /** The entries of the ledger, with the plans' names and prices at the time. */
  history: { kind: PlanChangeKind; from: PlanJson | null; to: PlanJson | null; isTrial: boolean; at: number }[];
  people: {
    id: number;
    name: string;
    email: string;
    role: Role;
    hasPassword: boolean;
    /** When the user chose a password by a mailed link; null if they have not, or have another address since. */
    openedLinkAt: number | null;
    hasSignedIn: boolean;
    /** When the user last used a session; null for never, or too long ago. */
    lastSeenAt: number | null;
  }[];
  /** When the last link for the first user to choose a password expires; null if it was used or expired long ago. */
  linkWorksUntil: number | null;
  mail: {
    id: number;
    to: string;
    subject: string;
    status: MailStatus;
    attempts: number;
    /** The mail server's error message. */
    lastError: string | null;
    createdAt: number;
    sentAt: number | null;
    /** True for login instructions: GET /admin/customer-messages/ID returns their text, and no other message's. */
    hasText: boolean;
  }[];
  domains: { host: string; isVerified: boolean }[];
  /** True if the site has a home page: GET /admin/customers/ID/picture returns it as a document for a frame. */
  hasPage: boolean;
  limits: PlanUsageJson;
  /** True if users of the account may sign in as users of the customer. */
  isSignInAllowed: boolean;
  /** The latest 50 impersonations. */
  visits: VisitJson[];
}

/** GET /admin/customer-messages/ID: login instructions as they were sent, without the link's secret. */
export interface CustomerMessageJson {
  to: string;
  subject: string;
  text: string;
}

/** GET /admin/customers/ID/log?before=ID: the entries of the account's log about the customer, 20 at a time, the latest first. */
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

/** POST /admin/customers/ID/instructions → ResentJson. Without `email`, the message goes to the first user's address. */
export const resendInput = v.object({ email: v.optional(text) });
export type ResendInput = v.InferInput<typeof resendInput>;

export interface ResentJson {
  email: string;
}

type PlanChangeKind = 'created' | 'moved' | 'suspended' | 'restored' | 'trial_ended';
/** `kept` messages were written to a file, because no mail server was set up. */
type MailStatus = 'queued' | 'sent' | 'kept' | 'failed';

/** POST /admin/customers/ID/plan → CustomerChangeJson. `seenPlanId` is the customer's plan as the person saw it. */
export const customerPlanInput = v.object({ planId: integer, seenPlanId: integer });
export type CustomerPlanInput = v.InferInput<typeof customerPlanInput>;

/**
 * PUT /admin/customers/ID/scheduled-change → CustomerChangeJson. Replaces the scheduled change `seenId`, which is the one that
 * the person saw.
 */
export const scheduleInput = v.object({ planId: integer, day: text, seenId: v.nullable(integer) });
export type ScheduleInput = v.InferInput<typeof scheduleInput>;

/** POST /admin/customers/ID/scheduled-change/cancel → CustomerChangeJson */
export const cancelScheduledInput = v.object({ seenId: integer });
export type CancelScheduledInput = v.InferInput<typeof cancelScheduledInput>;

/** POST /admin/customers/ID/scheduled-change/restore → CustomerChangeJson. Restores a cancelled or replaced change. */
export const restoreScheduledInput = v.object({ scheduledId: integer, seenId: v.nullable(integer) });
export type RestoreScheduledInput = v.InferInput<typeof restoreScheduledInput>;

/** POST /admin/customers/ID/suspend → CustomerChangeJson. The customer's users read the reason when they sign in. */
export const suspendCustomerInput = v.object({ reason: text });
export type SuspendCustomerInput = v.InferInput<typeof suspendCustomerInput>;

/** POST /admin/customers/ID/restore → CustomerChangeJson. `seenReason` is the reason that the person saw. */
export const restoreCustomerInput = v.object({ seenReason: v.nullable(text) });
export type RestoreCustomerInput = v.InferInput<typeof restoreCustomerInput>;

/** DELETE /admin/customers/ID, POST /admin/customers/ID/undelete → CustomerChangeJson */
export interface CustomerChangeJson {
  /** The customer before the change, as needed to undo it. */
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

const customerId = { id: integer };

/** A change of one customer, with the fields of the route for a single customer. */
const customerChange = v.variant(
  'kind',
  [
    v.object({ kind: v.literal('plan'), ...customerId, planId: integer, seenPlanId: integer }),
    v.object({ kind: v.literal('schedule'), ...customerId, ...scheduleInput.entries }),
    v.object({ kind: v.literal('unschedule'), ...customerId, ...cancelScheduledInput.entries }),
    v.object({ kind: v.literal('reschedule'), ...customerId, ...restoreScheduledInput.entries }),
    v.object({ kind: v.literal('suspend'), ...customerId, reason: text }),
    v.object({ kind: v.literal('restore'), ...customerId, seenReason: v.nullable(text) }),
    v.object({ kind: v.literal('delete'), ...customerId }),
    v.object({ kind: v.literal('undelete'), ...customerId }),
  ],
  'must be a change of a customer',
);
export type CustomerChange = v.InferOutput<typeof customerChange>;

/** POST /admin/customers/changes → CustomerChangesJson. Up to 100 changes; a refused change does not affect the others. */
export const customerChangesInput = v.object({ changes: v.array(customerChange, 'must be a list') });

/** The results, in the order of the changes. If there are fewer results than changes, the rest was not tried. */
export interface CustomerChangesJson {
  results: CustomerResultJson[];
}

/** The result of one change: the customer before and after it, or why it was refused. */
export type CustomerResultJson = (CustomerChangeJson & { id: number }) | RefusedJson;

/** GET /admin/customers/deleted: up to 200 deleted customers that can be restored, the next to be purged first. */
export interface DeletedCustomersJson {
  customers: { id: number; name: string; subdomain: string; deletesAt: number }[];
}
