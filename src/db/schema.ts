import type { ColumnType, Generated, Selectable } from 'kysely';

/*
 * Every table on one page. Both databases hold only integers and text, so that a row reads back the same from each:
 * times are milliseconds since 1970 UTC, money is integer cents, flags are 0 or 1.
 * Every table of a tenant's carries `account_id`, and foreign keys between them are composite, so that a row can
 * never point into another tenant.
 */

/** Milliseconds since 1970-01-01 UTC. */
export type Timestamp = number;
export type Flag = 0 | 1;
/** Set once, when the row is made. */
type Fixed<T> = ColumnType<T, T, never>;

export type BodyFormat = 'markdown_format' | 'wysiwyg_format';
/** `default`: a default page that nobody has published. Visitors see published pages only. */
export type PageStatus = 'published' | 'unpublished' | 'default';
export type Theme = 'typographic' | 'business' | 'portfolio' | 'documentation';
export type LinkPurpose = 'reset_password' | 'invitation' | 'sign_in' | 'change_email';
export type MediaKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';
export type Interval = 'month' | 'quarter' | 'year';

/** A tenant. A customer is an account seen from the account in `parent_id`. */
export interface AccountsTable {
  id: Generated<number>;
  parent_id: Fixed<number | null>;
  /** The plan the account is on, one of its parent's plans; null for a top-level account. */
  plan_id: number | null;
  /** The name of its own plan that a top-level account sees. */
  own_plan_name: string;
  own_plan_price_cents: number;
  name: string;
  /** The name as customers are searched for: see `accounts/name-key.ts`. */
  name_key: Generated<string>;
  /** Lower case, unique over the installation. */
  subdomain: string;
  status: 'active' | 'suspended';
  /** The body format of new pages that name none. */
  editor: BodyFormat;
  /** Raised by every change to the account's pages, images or settings, as the first statement of its transaction. */
  content_version: Generated<number>;
  /** Incremented by every change to the account's plans and customers, and to who is on which plan. */
  customers_version: Generated<number>;
  created_at: Fixed<Timestamp>;
  /** The look of the site. */
  theme: Generated<Theme>;
  /** The site's own colour, `#rrggbb` in lower case. */
  accent: Generated<string>;
  /** The page that the second button on the home page leads to; null for none. The page may have been deleted since. */
  second_button_page_id: Generated<number | null>;
  /** The language of the site's pages, a BCP 47 tag. */
  language: Generated<string>;
  /** When the content version was last raised. */
  content_changed_at: Timestamp;
  /** The time zone in which the account's users see times, an IANA name. */
  time_zone: Generated<string>;
  /** When one of its users first signed in; null for never. */
  signed_in_at: Generated<Timestamp | null>;
  /** When the account was deleted. The row stays for the billing ledger. */
  deleted_at: Generated<Timestamp | null>;
  /** How many bytes the texts of its pages, earlier versions, deleted pages and drafts take up: see `pages/page-bytes.ts`. */
  page_bytes: Generated<number>;
  /** Why it is suspended, in its seller's words. */
  suspension_reason: Generated<string | null>;
  /** When it is deleted for good: its seller has deleted it, and may restore it until then. */
  deletes_at: Generated<Timestamp | null>;
  /** The status that restoring it brings back; null unless `deletes_at` is set. */
  status_before_deletion: Generated<'active' | 'suspended' | null>;
  /**
   * The seller's day `YYYY-MM-DD` from whose beginning on the customer pays; null unless its trial is on. Until then it counts as free,
   * whatever the price of its plan.
   */
  trial_ends_on: Generated<string | null>;
  /** The currency of what it sells, by its code of ISO 4217; null until somebody has chosen one. */
  currency: Generated<string | null>;
  /** The oldest content version since which all changes of pages are known: see `pages/find-page-changes.ts`. */
  changes_known_from: Generated<number>;
}

export interface UsersTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  name: string;
  email: string;
  /** The address in lower case: what makes it unique within the account. */
  email_key: string;
  role: 'owner' | 'admin' | 'editor' | 'viewer' | 'accountant';
  /** A PHC string of Argon2id; null until the user has chosen a password. */
  password_hash: string | null;
  created_at: Fixed<Timestamp>;
  /** When the user was removed. The row stays for the user's history; its `email_key` matches no address. */
  removed_at: Timestamp | null;
  /** When the user last chose a password by a link that was mailed to this address. */
  address_proved_at: Generated<Timestamp | null>;
  /**
   * The user for whom somebody of the agency acts under this row, which is no person of the account: it counts as removed, has
   * the name of that user, and stands in the history of what was done. Null for people.
   */
  acts_for: Generated<number | null>;
  /** The person of the seller who acts as this user: `Ana (Acme Agency)`. */
  agent: Generated<string | null>;
}

/** Sessions. An ended one stays until it would have expired: it tells which networks the user has signed in from. */
export interface SessionsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** SHA-256 of the cookie's value, in hex. */
  token_hash: Fixed<string>;
  created_at: Fixed<Timestamp>;
  /** Right to a minute. */
  last_seen_at: Timestamp;
  expires_at: Fixed<Timestamp>;
  ended_at: Timestamp | null;
  /** The IP address that started it. */
  ip: Fixed<string>;
  network: Fixed<string>;
  user_agent: Fixed<string>;
  /** The host of an agency's own that it began at; null for the host of PUBLIC_URL. It is for that host alone. */
  app_host: Generated<string | null>;
}

/** Sign-ins of a seller's people as a person of its customer. They stay as long as the customer, to look at. */
export interface ImpersonationsTable {
  id: Generated<number>;
  /** The customer. */
  account_id: Fixed<number>;
  /** The row of `users` under which they act: see `acts_for` there. */
  user_id: Fixed<number>;
  /** The person of the customer as whom they are signed in. */
  person_id: Fixed<number>;
  /** The seller, its user, and the session of that user's. The impersonation ends with the session. */
  agency_id: Fixed<number>;
  agent_id: Fixed<number>;
  agent_session_id: Fixed<number>;
  /** SHA-256 of the cookie's value, in hex. */
  token_hash: Fixed<string>;
  ip: Fixed<string>;
  started_at: Fixed<Timestamp>;
  expires_at: Fixed<Timestamp>;
  ended_at: Timestamp | null;
  reason: Fixed<string>;
}

/** True if a customer allows its seller access. `impersonations/agency-access.ts` has the defaults for accounts without a row. */
export interface AgencyAccessTable {
  account_id: Fixed<number>;
  /** True if people of the seller may sign in as its people, and its programs may have keys. */
  is_allowed: Flag;
  /** True if its owners are told by mail. */
  is_mailed: Flag;
}

/** The codes of OAuth that have not been redeemed. */
export interface OauthCodesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The user who has allowed it. */
  user_id: Fixed<number>;
  /** SHA-256 of the code, in hex. */
  code_hash: Fixed<string>;
  /** SHA-256 of the program's secret, in base64url. */
  challenge: Fixed<string>;
  /** Separated by spaces. */
  scopes: Fixed<string>;
  expires_at: Fixed<Timestamp>;
  client_id: Fixed<string>;
  redirect_uri: Fixed<string>;
  /** From where it was allowed; null for codes from before this was noted. */
  ip: Fixed<string | null>;
  /** The key that it was redeemed for; null until then. */
  key_id: Generated<number | null>;
}

/** Links that were mailed, each good for one thing, once. */
export interface OneTimeLinksTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  purpose: Fixed<LinkPurpose>;
  /** SHA-256 of the link's token, in hex. */
  token_hash: Fixed<string>;
  created_at: Fixed<Timestamp>;
  expires_at: Fixed<Timestamp>;
  /** When it was used, or made void. */
  used_at: Timestamp | null;
  /** For `change_email`: the new address of the user. */
  email: Fixed<string | null>;
}

/** The secret of a user's authenticator app. */
export interface SecondFactorsTable {
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** Base32. It must be read to check a code, so it cannot be a hash. */
  secret: string;
  /** When a first code was right; it is asked for from then on. */
  confirmed_at: Timestamp | null;
  /** The step of the last code that was taken: none is taken twice. */
  last_step: Generated<number>;
  created_at: Timestamp;
}

/** Recovery codes for users who lost their second factor. Each works once. */
export interface RecoveryCodesTable {
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** SHA-256, in hex: a code has 80 random bits. */
  hash: Fixed<string>;
  used_at: Timestamp | null;
}

/**
 * Passkeys, with which users sign in instead of with a password: the public half of a key that the user's device or its
 * account keeps.
 */
export interface PasskeysTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** The name that its owner gave it. */
  name: string;
  /** Base64url, by which a browser names it: unique over the installation. */
  credential_id: Fixed<string>;
  /** COSE, in base64url. */
  public_key: Fixed<string>;
  /**
   * The signature counter that the passkey reports: one that goes backwards is a copy. 0 for passkeys that do not
   * count.
   */
  counter: number;
  /** How browsers may reach it (transports), separated by commas. */
  transports: Fixed<string>;
  /** True if it can be on several devices, and whether it is. */
  may_be_backed_up: Fixed<Flag>;
  is_backed_up: Flag;
  created_at: Fixed<Timestamp>;
  last_used_at: Timestamp | null;
}

/** Challenges for passkeys to sign. Each works once, for some minutes. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the challenge, in hex. */
  hash: Fixed<string>;
  /** The owner of the passkey that is being registered; null for a sign-in. */
  account_id: Fixed<number | null>;
  user_id: Fixed<number | null>;
  expires_at: Fixed<Timestamp>;
}

/** How often attempts with a key (an address, a network) have failed of late, and when it may try again. */
export interface SignInAttemptsTable {
  key: Fixed<string>;
  failures: number;
  failed_at: Timestamp;
  open_at: Timestamp;
}

/** The audit log: who did what to what, when and from where. Append-only, written in the transaction of the change. */
export interface AuditLogTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** Null for the operator. */
  user_id: Fixed<number | null>;
  /** The user's name at the time, or `operator`. */
  actor: Fixed<string>;
  /** `page.moved` */
  action: Fixed<string>;
  /** `page_12` */
  subject: Fixed<string>;
  ip: Fixed<string | null>;
  at: Fixed<Timestamp>;
  /** A JSON object without secrets. */
  details: Fixed<string>;
  /** The key of the user's by which a program did it; null for what people did. */
  api_key_id: Fixed<number | null>;
  /** The request that did it, as the header `traceparent`; null for what the service or a command did, and for entries from before. */
  traceparent: Fixed<string | null>;
}

export interface ApiKeysTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  name: string;
  /** SHA-256 of the key, in hex. The key itself is never stored. */
  hash: Fixed<string>;
  last4: Fixed<string>;
  created_at: Fixed<Timestamp>;
  /** A rotation brings it forward. */
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  /** How long the key, and each successor by rotation, is valid from its issue, in milliseconds; null for no end. */
  lifetime: Fixed<number | null>;
  /** The key's scopes, separated by spaces; null for a key that may do everything. */
  scopes: Fixed<string | null>;
  /** The account's seller and its user, to whom the key was issued; null for a key of the account's own. */
  agency_id: Fixed<number | null>;
  agent_id: Fixed<number | null>;
  /** The key of the account, or of its seller, with which a program issued it; null if a person or the operator did. */
  issued_by: Fixed<number | null>;
}

/** Plans that an account sells to its customers. */
export interface PlansTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  name: string;
  price_cents: number;
  interval: Interval;
  /** One plan of an account is the default for new customers. */
  is_default: Flag;
  /** How many active customers are on the plan: kept here so that a summary never counts customers. */
  active_customers: Generated<number>;
  created_at: Fixed<Timestamp>;
  /** No further customer is put on a retired plan; its customers stay. */
  retired_at: Timestamp | null;
  /** The seller's description of the plan; may be empty. */
  description: Generated<string>;
  /** The order of the seller's list. Plans in the same place follow each other by id. */
  position: Generated<number>;
  /** How many pages a customer may have; null for no limit, as with the others. See `tenancy/plan-limits.ts`. */
  max_pages: number | null;
  max_people: number | null;
  max_storage_bytes: number | null;
  max_domains: number | null;
  /** How many days cost nothing at first; 0 for none. */
  trial_days: Generated<number>;
  /** How many of the active customers are in their trial; 0 for a plan without a price. */
  trial_customers: Generated<number>;
}

/** The append-only ledger that explains revenue. Names and prices are copied: plans change, history does not. */
export interface PlanChangesTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  kind: Fixed<'created' | 'moved' | 'suspended' | 'restored'>;
  from_plan_id: Fixed<number | null>;
  from_plan_name: Fixed<string | null>;
  from_price_cents: Fixed<number | null>;
  from_interval: Fixed<Interval | null>;
  to_plan_id: Fixed<number | null>;
  to_plan_name: Fixed<string | null>;
  to_price_cents: Fixed<number | null>;
  to_interval: Fixed<Interval | null>;
  /** The actor: `user_12` for a user's key, or `operator` for the command line. */
  actor: Fixed<string>;
  created_at: Fixed<Timestamp>;
  /** True if the customer is in its trial after the line, and pays nothing. A line from a plan to itself ends the trial. */
  is_trial: ColumnType<Flag, Flag | undefined, never>;
}

/** Notes on a customer, which only its seller's people see. */
export interface CustomerNotesTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  /** The author: a user of the seller, as is `changed_by`. */
  user_id: Fixed<number>;
  text: string;
  /** A counter of its texts. */
  version: number;
  created_at: Fixed<Timestamp>;
  changed_at: Timestamp | null;
  changed_by: number | null;
  /** It can be restored for 10 minutes. */
  deleted_at: Timestamp | null;
}

/** Changes of customers' plans that are to be made at the beginning of a later day. A change that was made is deleted. */
export interface ScheduledPlanChangesTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  plan_id: Fixed<number>;
  /** `YYYY-MM-DD` in the seller's time zone, whichever that is then. */
  day: Fixed<string>;
  /** True if the customer had more than the plan allows when somebody scheduled it, which the person was told. */
  allows_excess: Fixed<Flag>;
  created_at: Fixed<Timestamp>;
  /** When it could not be made, and why: somebody has to decide. */
  failed_at: Generated<Timestamp | null>;
  failure: Generated<'customer_deleted' | 'customer_suspended' | 'plan_retired' | 'over_limits' | null>;
  /** When somebody cancelled it. It can be restored for 10 minutes. */
  cancelled_at: Generated<Timestamp | null>;
  /** The change of a price of which it is a part. */
  price_change_id: ColumnType<number | null, number | undefined, never>;
}

/** Customers that have as much of something as their plan allows, as the service last counted it. */
export interface CustomersAtLimitTable {
  customer_id: Fixed<number>;
  /** The seller. */
  account_id: Fixed<number>;
}

/** A plan at another price that takes the place of a plan, from a day on for those who are on it, too. */
export interface PriceChangesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  from_plan_id: Fixed<number>;
  to_plan_id: Fixed<number>;
  /** `YYYY-MM-DD`; null if those on the plan keep its price. */
  day: Fixed<string | null>;
  created_at: Fixed<Timestamp>;
}

/** Imports of customers from files. One runs in an account at a time. */
export interface CustomerImportsTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  /** The user who started it, by the name that the log has for them; null for the operator. */
  user_id: Fixed<number | null>;
  actor: Fixed<string>;
  ip: Fixed<string | null>;
  /** The user who resumed it last; null if nobody has, or the operator. */
  resumed_by: number | null;
  file_name: Fixed<string>;
  /** SHA-256 of the file, in hex. */
  file_hash: Fixed<string>;
  line_count: Fixed<number>;
  created_count: Generated<number>;
  skipped_count: Generated<number>;
  /** The first part that is not done. It is moved on in the transaction that creates the customers of a part. */
  next_part: Generated<number>;
  state: 'running' | 'stopped' | 'done';
  created_at: Fixed<Timestamp>;
  /** When it was done or last stopped. */
  ended_at: Timestamp | null;
  /** The worker that has it, and until when the others leave it to that one. */
  claimed_by: string | null;
  claimed_until: Generated<Timestamp>;
}

/** Some dozens of lines of a file, whose customers are created in one transaction. */
export interface CustomerImportPartsTable {
  account_id: Fixed<number>;
  import_id: Fixed<number>;
  /** From 0. */
  part: Fixed<number>;
  skipped_count: Generated<number>;
  /** JSON: see `customer-imports/part.ts`. Lines whose customers are created have their numbers only. */
  lines: string;
  /** JSON: what has become of each line; null until the part is done. */
  results: string | null;
}

/** How a customer counts in the revenue. A suspended or deleted customer is inactive. */
export type CustomerState = 'paying' | 'free' | 'inactive';
export type RevenueMovement = 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation';

/** The effect of one line of the ledger on a customer. Amounts are cents a year, a twelfth of which is the MRR. */
interface RevenueStateTable {
  state: Fixed<CustomerState>;
  annual_cents: Fixed<number>;
  /** null if the customer pays as much as before. */
  movement: Fixed<RevenueMovement | null>;
  change_cents: Fixed<number>;
}
export type RevenueStateColumns = Selectable<RevenueStateTable>;

interface RevenueTotalsTable {
  /** The customers after the line. */
  paying_count: Fixed<number>;
  free_count: Fixed<number>;
  /** All movements up to and including the line, without sign. */
  new_cents: Fixed<number>;
  new_count: Fixed<number>;
  expansion_cents: Fixed<number>;
  expansion_count: Fixed<number>;
  contraction_cents: Fixed<number>;
  contraction_count: Fixed<number>;
  churn_cents: Fixed<number>;
  churn_count: Fixed<number>;
  reactivation_cents: Fixed<number>;
  reactivation_count: Fixed<number>;
}
export type RevenueTotalColumns = Selectable<RevenueTotalsTable>;

/** The effect of each line of the ledger on its seller's recurring revenue, and the seller's totals after it. */
export interface RevenueLinesTable extends RevenueStateTable, RevenueTotalsTable {
  /** The ledger's line. */
  line_id: Fixed<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  /** The line with which the customer came. */
  first_line_id: Fixed<number>;
  /** The customer's next line: until then it is in this state. 2^53 - 1 for its last line. */
  next_line_id: number;
  /** The time of the line, or of an earlier one of the seller if that is later: it never falls as the ids rise. */
  at: Fixed<Timestamp>;
  /** True if the customer has paid until now. */
  has_paid: Fixed<Flag>;
}

/**
 * The effect of each line on the revenue of the plan that the customer leaves, on which it is inactive afterwards, and of
 * the plan that it is on afterwards. The totals are the plan's.
 */
export interface PlanRevenueLinesTable extends RevenueStateTable, RevenueTotalsTable {
  line_id: Fixed<number>;
  plan_id: Fixed<number>;
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  /** The customer's next line on this plan. */
  next_line_id: number;
  at: Fixed<Timestamp>;
}

export interface PagesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  parent_id: number | null;
  name: string;
  urlname: string;
  /** 1..n among siblings, without gaps. */
  position: number;
  is_hidden: Flag;
  /** Byte for byte as it was sent. */
  body: string;
  description: string | null;
  /** Empty for pages that were brought in without one. */
  body_format: BodyFormat | '';
  custom_date: Timestamp;
  created_at: Fixed<Timestamp>;
  created_by: Fixed<number>;
  updated_at: Timestamp;
  updated_by: number;
  /** The account's content version when the page last changed, was moved, or came back. */
  version: number;
  status: Generated<PageStatus>;
  /** 0 for a page that is as it was created, and where it was. */
  has_changed: Generated<Flag>;
}

/** Mail that is to be sent, is sent, or could not be. Written in the transaction that causes it. */
export interface OutboxTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** See mail/mail-words.ts; null for messages from before they had one. */
  kind: Generated<string | null>;
  message_id: Fixed<string>;
  from_name: Fixed<string>;
  to_name: Fixed<string>;
  to_email: Fixed<string>;
  /** The address that takes the replies; null for none. */
  reply_to: Fixed<string | null>;
  subject: Fixed<string>;
  text: Fixed<string>;
  html: Fixed<string>;
  /** `kept`: written to a file, since there was no mail server. See mail/kept-mail.ts. */
  status: 'queued' | 'sent' | 'kept' | 'failed';
  attempts: Generated<number>;
  /** When the next attempt is due. A claim moves it on by the lease, so a crashed worker's message comes due again. */
  due_at: Timestamp;
  /** The worker that holds the lease while it sends the message. */
  claimed_by: string | null;
  /** The mail server's last words. */
  last_error: string | null;
  created_at: Fixed<Timestamp>;
  sent_at: Timestamp | null;
  /**
   * The value of the placeholder `TOKEN` in the text (see `mail/placeholders.ts`); null once a server has accepted the
   * message.
   */
  secret: string | null;
  /** The request that queued it, as the header `traceparent`; null for what the service or a command queued. */
  traceparent: Generated<string | null>;
  /** 1 for one of many messages that were queued at once: the others are sent first. */
  is_bulk: Generated<number>;
}

/** Answers kept for 24 hours, so that a request sent twice is done once. */
export interface IdempotencyTable {
  account_id: Fixed<number>;
  api_key_id: Fixed<number>;
  /** The client's `Idempotency-Key`. */
  key: Fixed<string>;
  /** HMAC-SHA256 of the request under the API key: tells requests apart, gives no password away. */
  fingerprint: Fixed<string>;
  status: Fixed<number>;
  /** Changes once, in the transaction that stores it, if it contains the id of what is created. */
  answer: string;
  created_at: Fixed<Timestamp>;
}

/** Subdomains that were in use: kept from others for 90 days. */
export interface ReleasedSubdomainsTable {
  subdomain: Fixed<string>;
  account_id: Fixed<number>;
  released_at: Timestamp;
}

/**
 * Host names of an account's own. Anybody may claim one; it counts once its owner has proved it in the DNS, and then for
 * one account alone.
 */
export interface DomainsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** Lower case, internationalised names in their ASCII form, without a dot at the end. */
  host: Fixed<string>;
  /** The value that the host's TXT record must have. */
  token: Fixed<string>;
  /** When it was proved that the host is the account's; null until then. */
  verified_at: Timestamp | null;
  /** When the DNS was last asked. */
  checked_at: Timestamp | null;
  /** The problems that the last check found, as JSON (see domains/domain-note.ts); null for none. */
  last_error: string | null;
  created_at: Fixed<Timestamp>;
  /** When the service checks it next; null if it does not. */
  next_check_at: Timestamp | null;
  /** How many checks of the service in a row have found that something is missing. */
  failed_checks: Generated<number>;
  /** 1 if visitors came here at the last check that could tell, 0 if they came here once and do not any more. */
  leads_here: Flag | null;
  /** 1 if the admin app of the account's customers is there, and not its site. */
  is_app: Generated<Flag>;
}

/** Revisions: the contents of a page before each change. The page's row has the present contents. */
export interface RevisionsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The page may have been removed, and may come back. The same goes for the tables below. */
  page_id: Fixed<number>;
  /** The page's version when it was this. */
  version: Fixed<number>;
  /** The user who wrote this revision, and when. */
  user_id: Fixed<number>;
  at: Fixed<Timestamp>;
  name: Fixed<string>;
  urlname: Fixed<string>;
  is_hidden: Fixed<Flag>;
  custom_date: Fixed<Timestamp>;
  body_format: Fixed<BodyFormat | ''>;
  description: Fixed<string | null>;
  body: Fixed<string>;
}

/** Drafts: unpublished contents, one for each page and user, so that nobody overwrites another user's. */
export interface DraftsTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  user_id: Fixed<number>;
  /** The version of the page that the user began with. */
  based_on: number;
  updated_at: Timestamp;
  /** JSON: the page's fields that the draft sets. */
  fields: string;
}

/** The images that pages show, of deleted pages too: see `pages/page-images.ts`. */
export interface PageImagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The user whose draft shows the image; 0 for the published page. */
  draft_by: Fixed<number>;
  /** The hash of the image, which may not exist. */
  hash: Fixed<string>;
}

/** A path at which a page once stood, or a normal address of another system, with its query. It leads to wherever the page is now, so there are no chains. */
export interface RedirectsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  path: Fixed<string>;
  page_id: Fixed<number>;
  /** The content version with which the page left: of several pages the last one counts. */
  version: number;
}

/** Changes that can be taken back, for 30 days. */
export interface UndosTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  kind: Fixed<'update' | 'move' | 'delete'>;
  /** JSON: what the undo needs, except the pages of a deletion. */
  payload: string;
  /** 0 once deleted pages were deleted for good. */
  created_at: Timestamp;
  used_at: Timestamp | null;
  /** The account's content version of the change; 0 before there were any. */
  version: Generated<number>;
  /** The page that was changed, or that was deleted with all below it. */
  page_id: Fixed<number | null>;
  /** True if the change has undone another one. */
  is_undo: Generated<Flag>;
}

/** Pages that were deleted, as they were, until that cannot be undone any more. */
export interface RemovedPagesTable extends Omit<PagesTable, 'id' | 'has_changed'> {
  id: Fixed<number>;
  undo_id: Fixed<number>;
}

/** Removals that can be undone for 10 minutes, with what is stored nowhere else. */
export interface RemovalsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The user who removed it. */
  user_id: Fixed<number>;
  kind: Fixed<'domain' | 'key' | 'passkey' | 'user'>;
  /** The id of the domain, key, passkey or user. */
  subject_id: Fixed<number>;
  created_at: Fixed<Timestamp>;
  /** JSON: what the undo needs. It may contain the hash of a password. */
  payload: Fixed<string>;
}

/** An account's image. It is kept once, however often it is uploaded. */
export interface MediaTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The first 128 bits of the upload's SHA-256, in hex. It is part of the image's address. */
  hash: Fixed<string>;
  /** The kind of the upload. The stored variants are WebP and AVIF. */
  kind: Fixed<MediaKind>;
  /** Size of the largest variant, in pixels. */
  width: Fixed<number>;
  height: Fixed<number>;
  is_moving: Fixed<Flag>;
  /** Size of all variants together. */
  bytes: Fixed<number>;
  /** The name of the uploaded file. */
  name: string;
  /** The description of the image: empty for decoration, null if nobody has given one. */
  alt: string | null;
  /** The folder of its files in the store. It is never used again, even if the same image is uploaded again. */
  folder: Fixed<string>;
  /** JSON: the names of its files, and how many bytes each has. */
  files: Fixed<string>;
  created_at: Fixed<Timestamp>;
  created_by: Fixed<number>;
  /** When the image was removed; it can be restored for 30 days. 0 once it was deleted for good. */
  removed_at: Timestamp | null;
  /** The user who removed it; null for images that were removed before this was recorded. */
  removed_by: Generated<number | null>;
}

/** Accounts whose pages are in the index of words: see `pages/search-index.ts`. This and the next three are in no backup. */
export interface SearchAccountsTable {
  account_id: Fixed<number>;
  /** Pages up to this id are in the index, except for changes in the queue. */
  last_id: number;
}

/** Pages that were changed or deleted since they were indexed. */
export interface SearchQueueTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The content version of the latest change. */
  version: number;
}

/** Pages in the index. Their words are in the column `words` on PostgreSQL, in the table `search_words` on SQLite. */
export interface SearchPagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The page's version when it was indexed. */
  version: Generated<number>;
  /** The name without accents, in lower case. */
  name: string;
}

/**
 * The words in the index of SQLite, without the account's number. A word stays when the last page with it is deleted. PostgreSQL
 * looks for beginnings of words in its index itself.
 */
export interface SearchVocabularyTable {
  account_id: Fixed<number>;
  word: Fixed<string>;
}

export interface MigrationsTable {
  name: Fixed<string>;
  applied_at: Fixed<Timestamp>;
}

/** The brand that an account's customers see instead of the product's name, and their customers without a nearer brand. */
export interface BrandsTable {
  account_id: Fixed<number>;
  name: string;
  /** `#rrggbb` in lower case. */
  accent: string;
  support_email: string | null;
  support_url: string | null;
  legal_notice_url: string | null;
  privacy_url: string | null;
  terms_url: string | null;
  /** The sender's name of messages to them; null for the brand's name. */
  sender_name: string | null;
  /** The address that takes the replies to messages; null for that of the account's owner. */
  reply_to: string | null;
  /** Names of its images: see brands/brand-image.ts; null for none. */
  logo: Generated<string | null>;
  logo_dark: Generated<string | null>;
  icon: Generated<string | null>;
  /** Counts its changes. */
  version: number;
  changed_at: Timestamp;
}

/** Sites that an account's new customers can start from. */
export interface TemplatesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The account whose site it is: the account itself, or a customer. */
  site_id: Fixed<number>;
  /** The order of the list. */
  position: number;
  created_at: Fixed<Timestamp>;
  /** When it was taken back; the sites that were made from it stay. */
  retired_at: Timestamp | null;
  name: string;
  description: string;
}

/** The sites that were made from a template. */
export interface TemplateSitesTable {
  /** The customer. */
  account_id: Fixed<number>;
  template_id: Fixed<number>;
  made_at: Fixed<Timestamp>;
}

/** The pages of these sites that are in step with a page of the template. */
export interface TemplatePagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The page of the template. */
  source_id: Fixed<number>;
  /** The page's version when it was last in step: a page that has it still has not been changed. */
  version: number;
  /** The hash of the page's contents at that time: see `templates/page-state.ts`. */
  hash: string;
}

/** Changes of a template that are passed on to the sites that were made from it. */
export interface TemplatePushesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  template_id: Fixed<number>;
  created_at: Fixed<Timestamp>;
  /** The name of the person. */
  created_by: Fixed<string>;
  /** The user who started it or, later, began to undo it; null for the operator. */
  user_id: number | null;
  /** When the last of its sites was done. */
  finished_at: Timestamp | null;
  stopped_at: Timestamp | null;
  undo_begun_at: Timestamp | null;
  undone_at: Timestamp | null;
}

/** One site of a push. A transaction that does the site's part changes the state with it, so that it is done once. */
export interface TemplatePushSitesTable {
  /** The customer. */
  account_id: Fixed<number>;
  push_id: Fixed<number>;
  /** `waiting` for the push, `undo` for its undo. */
  state: 'waiting' | 'done' | 'failed' | 'stopped' | 'undo' | 'undone';
  done_at: Timestamp | null;
  /** How many pages were changed or added, or put back. */
  changed_pages: number;
  /** How many pages were left as they are, and are listed. */
  left_pages: number;
  /** JSON: see `templates/push-result.ts`. */
  result: string;
}

/** The words of messages to customers that an account with a brand has chosen. */
export interface MailWordsTable {
  account_id: Fixed<number>;
  /** See mail/mail-words.ts. */
  kind: Fixed<string>;
  /** Counts its changes. */
  version: number;
  changed_at: Timestamp;
  subject: string;
  text: string;
}

/** Logos and icons, also those that no brand shows yet or any more. */
export interface BrandImagesTable {
  account_id: Fixed<number>;
  /** It is part of the image's address, and says what the image is: see brands/brand-image.ts. */
  name: Fixed<string>;
  created_at: Timestamp;
  /** In base64. */
  png: Fixed<string>;
}

/** Addresses to which the events of accounts are sent. */
export interface WebhooksTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  url: Fixed<string>;
  /** The kinds of events that are sent, separated by spaces; null for all. */
  kinds: Fixed<string | null>;
  /** It signs what is sent, so it has to be known. */
  secret: string;
  /** The former secret, and until when its signatures come along. */
  old_secret: string | null;
  old_secret_until: Timestamp | null;
  created_at: Fixed<Timestamp>;
  /** The last event of the account that was sent, or passed over. */
  last_event_id: number;
  /** When something may be sent again; of one that is being sent to, when its lease ends. */
  due_at: Timestamp;
  claimed_by: string | null;
  /** Failed attempts since the last one that succeeded, and when the first of them was. */
  failures: Generated<number>;
  failing_since: Timestamp | null;
  /** When it had failed for too long. */
  paused_at: Timestamp | null;
  removed_at: Timestamp | null;
  /** True if the last answer took long: 0 or 1. */
  is_slow: Generated<number>;
}

/** Attempts to send an event to a webhook. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  webhook_id: Fixed<number>;
  /** 0 for a test, which is no event. */
  event_id: Fixed<number>;
  at: Fixed<Timestamp>;
  /** Milliseconds. */
  duration: Fixed<number>;
  /** The status of the answer; null for none. */
  status: Fixed<number | null>;
  error: Fixed<string | null>;
  /** The beginning of the answer. */
  response: Fixed<string>;
}

/** The archive of an account that one of its people has asked for. A new one takes its place. */
export interface AccountArchivesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The person who asked for it, by the name that the log has for them. */
  user_id: Fixed<number>;
  actor: Fixed<string>;
  ip: Fixed<string | null>;
  state: 'waiting' | 'done' | 'failed';
  created_at: Fixed<Timestamp>;
  /** When it is deleted; null while it waits. */
  expires_at: Timestamp | null;
  /** The name of its file; null until it is done. */
  file: string | null;
  bytes: number | null;
  /** How often it was begun. */
  attempts: Generated<number>;
  /** The worker that makes it, and until when the others leave it to that one. */
  claimed_by: string | null;
  claimed_until: Generated<Timestamp>;
}

export interface DatabaseTimelineTable {
  only_row: 1;
  /** The server and its timeline on which the database was last used; empty if that is not known. */
  timeline: string;
}

export interface Schema {
  accounts: AccountsTable;
  users: UsersTable;
  api_keys: ApiKeysTable;
  plans: PlansTable;
  plan_changes: PlanChangesTable;
  revenue_lines: RevenueLinesTable;
  customer_notes: CustomerNotesTable;
  scheduled_plan_changes: ScheduledPlanChangesTable;
  price_changes: PriceChangesTable;
  customer_imports: CustomerImportsTable;
  customer_import_parts: CustomerImportPartsTable;
  customers_at_limit: CustomersAtLimitTable;
  plan_revenue_lines: PlanRevenueLinesTable;
  pages: PagesTable;
  outbox: OutboxTable;
  idempotency: IdempotencyTable;
  released_subdomains: ReleasedSubdomainsTable;
  domains: DomainsTable;
  brands: BrandsTable;
  templates: TemplatesTable;
  template_sites: TemplateSitesTable;
  template_pages: TemplatePagesTable;
  template_pushes: TemplatePushesTable;
  template_push_sites: TemplatePushSitesTable;
  brand_images: BrandImagesTable;
  mail_words: MailWordsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  account_archives: AccountArchivesTable;
  sessions: SessionsTable;
  impersonations: ImpersonationsTable;
  agency_access: AgencyAccessTable;
  one_time_links: OneTimeLinksTable;
  oauth_codes: OauthCodesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  sign_in_attempts: SignInAttemptsTable;
  audit_log: AuditLogTable;
  revisions: RevisionsTable;
  drafts: DraftsTable;
  redirects: RedirectsTable;
  undos: UndosTable;
  removed_pages: RemovedPagesTable;
  page_images: PageImagesTable;
  removals: RemovalsTable;
  media: MediaTable;
  search_accounts: SearchAccountsTable;
  search_queue: SearchQueueTable;
  search_pages: SearchPagesTable;
  search_vocabulary: SearchVocabularyTable;
  database_timeline: DatabaseTimelineTable;
  migrations: MigrationsTable;
}
