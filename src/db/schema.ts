import type { ColumnType, Generated, Selectable } from 'kysely';

/*
 * The columns of all tables. Both databases hold only integers and text, so that a row reads back the same from each: times
 * are milliseconds since 1970 UTC, money is integer cents, flags are 0 or 1.
 * Every table of a tenant's data has `account_id`. Foreign keys between these tables are composite, so that a row can never
 * refer to another tenant.
 */

/** Milliseconds since 1970-01-01 UTC. */
export type Timestamp = number;
export type Flag = 0 | 1;
/** A column that is set once, when the row is inserted. */
type Fixed<T> = ColumnType<T, T, never>;

export type BodyFormat = 'markdown_format' | 'wysiwyg_format';
/** `default`: a default page that nobody has published. Visitors only see published pages. */
export type PageStatus = 'published' | 'unpublished' | 'default';
export type Theme = 'typographic' | 'business' | 'portfolio' | 'documentation';
export type LinkPurpose = 'reset_password' | 'invitation' | 'sign_in' | 'change_email';
export type MediaKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';
export type Interval = 'month' | 'quarter' | 'year';

/** A tenant. A customer is an account whose seller is the account in `parent_id`. */
export interface AccountsTable {
  id: Generated<number>;
  parent_id: Fixed<number | null>;
  /** The account's plan, which is one of its parent's plans; null for a top-level account. */
  plan_id: number | null;
  /** The name of the plan that a top-level account sees as its own. */
  own_plan_name: string;
  own_plan_price_cents: number;
  name: string;
  /** The name in the form that the search for customers uses: see `accounts/name-key.ts`. */
  name_key: Generated<string>;
  /** Lower case, unique in the installation. */
  subdomain: string;
  status: 'active' | 'suspended';
  /** The body format of new pages that do not name one. */
  editor: BodyFormat;
  /** Raised by every change of the account's pages, images or settings, in the first statement of the transaction. */
  content_version: Generated<number>;
  /** Raised by every change of the account's plans and customers, and of the plan that a customer is on. */
  customers_version: Generated<number>;
  created_at: Fixed<Timestamp>;
  theme: Generated<Theme>;
  /** The site's accent colour, `#rrggbb` in lower case. */
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
  /** When the account was deleted. The row stays, since the billing ledger refers to it. */
  deleted_at: Generated<Timestamp | null>;
  /** How many bytes the texts of its pages, earlier versions, deleted pages and drafts take up: see `pages/page-bytes.ts`. */
  page_bytes: Generated<number>;
  /** Why the account is suspended, in its seller's words. */
  suspension_reason: Generated<string | null>;
  /** When the account is deleted for good. Its seller has deleted it, and may restore it until then. */
  deletes_at: Generated<Timestamp | null>;
  /** The status that a restoration brings back; null unless `deletes_at` is set. */
  status_before_deletion: Generated<'active' | 'suspended' | null>;
  /**
   * The day (`YYYY-MM-DD`, in the seller's time zone) from which the customer pays; null if it is in no trial. Until then
   * the customer counts as free, whatever the price of its plan.
   */
  trial_ends_on: Generated<string | null>;
  /** The currency of its prices, an ISO 4217 code; null until somebody has chosen one. */
  currency: Generated<string | null>;
  /** The oldest content version since which all changes of pages are recorded: see `pages/find-page-changes.ts`. */
  changes_known_from: Generated<number>;
}

export interface UsersTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  name: string;
  email: string;
  /** The address in lower case, which is unique in the account. */
  email_key: string;
  role: 'owner' | 'admin' | 'editor' | 'viewer' | 'accountant';
  /** A PHC string of Argon2id; null until the user has chosen a password. */
  password_hash: string | null;
  created_at: Fixed<Timestamp>;
  /** When the user was removed. The row stays for the user's history; its `email_key` matches no address. */
  removed_at: Timestamp | null;
  /** When the user last chose a password by a link mailed to this address. */
  address_proved_at: Generated<Timestamp | null>;
  /**
   * In a row that stands for an impersonation, not a person: the user as whom somebody of the agency acts. The row counts as
   * removed, has the name of that user, and is the author in the history. Null for people.
   */
  acts_for: Generated<number | null>;
  /** The person of the seller who acts as the user: `Ana (Acme Agency)`. */
  agent: Generated<string | null>;
}

/** Sessions. An ended session stays until it would have expired: it shows which networks the user has signed in from. */
export interface SessionsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** SHA-256 of the cookie's value, in hex. */
  token_hash: Fixed<string>;
  created_at: Fixed<Timestamp>;
  /** When the session was last used, accurate to a minute. */
  last_seen_at: Timestamp;
  expires_at: Fixed<Timestamp>;
  ended_at: Timestamp | null;
  /** The IP address that started the session. */
  ip: Fixed<string>;
  network: Fixed<string>;
  user_agent: Fixed<string>;
  /** The agency's own host that the session began at and is limited to; null for the host of PUBLIC_URL. */
  app_host: Generated<string | null>;
}

/** Sign-ins of a seller's people as a person of its customer. They are kept as long as the customer, which can review them. */
export interface ImpersonationsTable {
  id: Generated<number>;
  /** The customer. */
  account_id: Fixed<number>;
  /** The row of `users` under which the seller's person acts: see `acts_for` there. */
  user_id: Fixed<number>;
  /** The person of the customer who is impersonated. */
  person_id: Fixed<number>;
  /** The seller, its user and that user's session. The impersonation ends with the session. */
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

/**
 * The access that a customer allows its seller. `impersonations/agency-access.ts` has the defaults for accounts without a
 * row.
 */
export interface AgencyAccessTable {
  account_id: Fixed<number>;
  /** 1 if people of the seller may sign in as the customer's people, and programs of the seller may have keys. */
  is_allowed: Flag;
  /** 1 if the customer's owners are told by mail. */
  is_mailed: Flag;
}

/** Authorization codes of OAuth, which programs redeem for keys. */
export interface OauthCodesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The user who authorized the program. */
  user_id: Fixed<number>;
  /** SHA-256 of the code, in hex. */
  code_hash: Fixed<string>;
  /** The PKCE challenge: SHA-256 of the program's secret, in base64url. */
  challenge: Fixed<string>;
  /** The scopes, separated by spaces. */
  scopes: Fixed<string>;
  expires_at: Fixed<Timestamp>;
  client_id: Fixed<string>;
  redirect_uri: Fixed<string>;
  /** The IP address of the authorization; null for codes from before it was recorded. */
  ip: Fixed<string | null>;
  /** The key that the code was redeemed for; null until then. */
  key_id: Generated<number | null>;
}

/** Links sent by mail. Each has one purpose and works once. */
export interface OneTimeLinksTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  purpose: Fixed<LinkPurpose>;
  /** SHA-256 of the link's token, in hex. */
  token_hash: Fixed<string>;
  created_at: Fixed<Timestamp>;
  expires_at: Fixed<Timestamp>;
  /** When the link was used or made void. */
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
  /** When the user entered a first correct code. From then on, every sign-in asks for one. */
  confirmed_at: Timestamp | null;
  /** The time step of the last accepted code: no code is accepted twice. */
  last_step: Generated<number>;
  created_at: Timestamp;
}

/** Recovery codes for users who lost their second factor. Each works once. */
export interface RecoveryCodesTable {
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** SHA-256, in hex. A plain hash is safe, since a code has 80 random bits. */
  hash: Fixed<string>;
  used_at: Timestamp | null;
}

/**
 * Passkeys, with which users sign in instead of a password. A row has the public half of a key that the user's device or
 * cloud account keeps.
 */
export interface PasskeysTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  /** The name that the user gave the passkey. */
  name: string;
  /** The id by which a browser names the passkey, in base64url. Unique in the installation. */
  credential_id: Fixed<string>;
  /** COSE, in base64url. */
  public_key: Fixed<string>;
  /** The signature counter that the passkey reports; 0 if it does not count. A counter that goes backwards shows a copy. */
  counter: number;
  /** How browsers may reach the passkey (transports), separated by commas. */
  transports: Fixed<string>;
  /** 1 if the passkey may be copied to several devices. `is_backed_up` is 1 if it has been. */
  may_be_backed_up: Fixed<Flag>;
  is_backed_up: Flag;
  created_at: Fixed<Timestamp>;
  last_used_at: Timestamp | null;
}

/** Challenges for passkeys to sign. Each works once, and for some minutes only. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the challenge, in hex. */
  hash: Fixed<string>;
  /** The owner of the passkey that is being registered; null for a sign-in. */
  account_id: Fixed<number | null>;
  user_id: Fixed<number | null>;
  expires_at: Fixed<Timestamp>;
}

/** Recent failures of attempts with a key (an address, a network), and when the next attempt is allowed. */
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
  /** Null for the operator, the service, and a seller that acts in the name of a user. */
  user_id: Fixed<number | null>;
  /** The name of the actor at the time: a user's or a seller's, `operator` or `service`. */
  actor: Fixed<string>;
  /** `page.moved` */
  action: Fixed<string>;
  /** `page_12` */
  subject: Fixed<string>;
  ip: Fixed<string | null>;
  at: Fixed<Timestamp>;
  /** A JSON object without secrets. */
  details: Fixed<string>;
  /** The user's key with which a program did it; null if a person did. */
  api_key_id: Fixed<number | null>;
  /** The header `traceparent` of the request that did it; null for the service, for commands, and for older entries. */
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
  /** When the key stops working. A rotation brings this forward. */
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  /** How long the key, and each key that replaces it by rotation, is valid from its issue, in milliseconds; null for no end. */
  lifetime: Fixed<number | null>;
  /** The key's scopes, separated by spaces; null for a key that may do everything. */
  scopes: Fixed<string | null>;
  /** The account's seller and the seller's user to whom the key was issued; null for the account's own keys. */
  agency_id: Fixed<number | null>;
  agent_id: Fixed<number | null>;
  /** The key, of the account or its seller, with which a program issued this key; null if a person or the operator did. */
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
  /** How many active customers are on the plan. The count is stored so that a summary need not count customers. */
  active_customers: Generated<number>;
  created_at: Fixed<Timestamp>;
  /** When the plan was retired. Its customers stay, but no other customer is put on it. */
  retired_at: Timestamp | null;
  /** The seller's description of the plan; may be empty. */
  description: Generated<string>;
  /** The position in the seller's list. Plans with the same position are in the order of their ids. */
  position: Generated<number>;
  /** How many pages a customer may have; null for no limit. The next limits work alike: see `tenancy/plan-limits.ts`. */
  max_pages: number | null;
  max_people: number | null;
  max_storage_bytes: number | null;
  max_domains: number | null;
  /** How many days a trial lasts; 0 for no trial. */
  trial_days: Generated<number>;
  /** How many of the active customers are in a trial; 0 for a plan without a price. */
  trial_customers: Generated<number>;
}

/** The append-only ledger that explains revenue. It copies names and prices: plans change, history does not. */
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
  /** The actor: `user_12` for a user, or `operator` for commands and the service. */
  actor: Fixed<string>;
  created_at: Fixed<Timestamp>;
  /** 1 if the customer is in its trial after the line, and pays nothing. A line from a plan to itself ends the trial. */
  is_trial: ColumnType<Flag, Flag | undefined, never>;
}

/** Notes on a customer, which only the seller's people see. */
export interface CustomerNotesTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  /** The author. This and `changed_by` are users of the seller. */
  user_id: Fixed<number>;
  text: string;
  /** Counts the versions of the text. */
  version: number;
  created_at: Fixed<Timestamp>;
  changed_at: Timestamp | null;
  changed_by: number | null;
  /** When the note was deleted. It can be restored for 10 minutes. */
  deleted_at: Timestamp | null;
}

/** Changes of customers' plans that are due at the beginning of a later day. A change that has been made is deleted. */
export interface ScheduledPlanChangesTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  plan_id: Fixed<number>;
  /** `YYYY-MM-DD` in the time zone that the seller has by then. */
  day: Fixed<string>;
  /** 1 if the customer exceeded the limits of the plan when the change was scheduled, and the user was told so. */
  allows_excess: Fixed<Flag>;
  created_at: Fixed<Timestamp>;
  /** When the change failed, and why. A user has to decide what happens next. */
  failed_at: Generated<Timestamp | null>;
  failure: Generated<'customer_deleted' | 'customer_suspended' | 'plan_retired' | 'over_limits' | null>;
  /** When a user cancelled the change. It can be restored for 10 minutes. */
  cancelled_at: Generated<Timestamp | null>;
  /** The price change that this change is a part of. */
  price_change_id: ColumnType<number | null, number | undefined, never>;
}

/** Customers that use as much of something as their plan allows, by the service's last count. */
export interface CustomersAtLimitTable {
  customer_id: Fixed<number>;
  /** The seller. */
  account_id: Fixed<number>;
}

/**
 * Price changes: a plan replaces another one at a different price. From the day on, customers of the old plan pay the new
 * price too.
 */
export interface PriceChangesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  from_plan_id: Fixed<number>;
  to_plan_id: Fixed<number>;
  /** `YYYY-MM-DD`; null if the customers of the old plan keep its price. */
  day: Fixed<string | null>;
  created_at: Fixed<Timestamp>;
}

/** Imports of customers from files. An account runs one at a time. */
export interface CustomerImportsTable {
  id: Generated<number>;
  /** The seller. */
  account_id: Fixed<number>;
  /** The user who started the import, and that user's name in the audit log; null for the operator. */
  user_id: Fixed<number | null>;
  actor: Fixed<string>;
  ip: Fixed<string | null>;
  /** The user who last resumed the import; null if nobody has, or if the operator did. */
  resumed_by: number | null;
  file_name: Fixed<string>;
  /** SHA-256 of the file, in hex. */
  file_hash: Fixed<string>;
  line_count: Fixed<number>;
  created_count: Generated<number>;
  skipped_count: Generated<number>;
  /** The first part that is not done. The transaction that creates the customers of a part raises it. */
  next_part: Generated<number>;
  state: 'running' | 'stopped' | 'done';
  created_at: Fixed<Timestamp>;
  /** When the import was done or last stopped. */
  ended_at: Timestamp | null;
  /** The worker that runs the import, and until when other workers leave it alone. */
  claimed_by: string | null;
  claimed_until: Generated<Timestamp>;
}

/** Some dozens of lines of a file, whose customers are created in one transaction. */
export interface CustomerImportPartsTable {
  account_id: Fixed<number>;
  import_id: Fixed<number>;
  /** The number of the part, from 0. */
  part: Fixed<number>;
  skipped_count: Generated<number>;
  /** JSON: see `customer-imports/part.ts`. Of lines whose customers have been created, only the numbers are kept. */
  lines: string;
  /** JSON: the result of each line; null until the part is done. */
  results: string | null;
}

/** How a customer counts in the revenue. A suspended or deleted customer is inactive. */
export type CustomerState = 'paying' | 'free' | 'inactive';
export type RevenueMovement = 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation';

/** The effect of one line of the ledger on a customer. Amounts are cents a year, a twelfth of which is the MRR. */
interface RevenueStateTable {
  state: Fixed<CustomerState>;
  annual_cents: Fixed<number>;
  /** Null if the customer pays as much as before. */
  movement: Fixed<RevenueMovement | null>;
  change_cents: Fixed<number>;
}
export type RevenueStateColumns = Selectable<RevenueStateTable>;

interface RevenueTotalsTable {
  /** The number of paying customers after the line. The next column counts those on a free plan or in a trial. */
  paying_count: Fixed<number>;
  free_count: Fixed<number>;
  /** The totals of all movements up to and including the line, as positive numbers. */
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
  /** The line of the ledger, in `plan_changes`. */
  line_id: Fixed<number>;
  /** The seller. */
  account_id: Fixed<number>;
  customer_id: Fixed<number>;
  /** The customer's first line. */
  first_line_id: Fixed<number>;
  /** The customer's next line, until which this state lasts; 2^53 - 1 if there is none. */
  next_line_id: number;
  /** The time of the line, or of an earlier line of the seller if that is later: times never fall as the ids rise. */
  at: Fixed<Timestamp>;
  /** 1 if the customer has ever paid, up to and including this line. */
  has_paid: Fixed<Flag>;
}

/**
 * The effect of each line on the revenue of two plans: the one that the customer leaves, on which it is inactive afterwards,
 * and the one that it is on afterwards. The totals are those of the plan.
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
  /** The text, byte for byte as it was sent. */
  body: string;
  description: string | null;
  /** Empty for imported pages that had none. */
  body_format: BodyFormat | '';
  custom_date: Timestamp;
  created_at: Fixed<Timestamp>;
  created_by: Fixed<number>;
  updated_at: Timestamp;
  updated_by: number;
  /** The account's content version when the page last changed, was moved, or was restored. */
  version: number;
  status: Generated<PageStatus>;
  /** 0 for a page that has neither been changed nor moved since it was created. */
  has_changed: Generated<Flag>;
}

/** Messages that are queued, were sent, or could not be sent. A message is written in the transaction that causes it. */
export interface OutboxTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** See mail/mail-words.ts; null for messages from before there were kinds. */
  kind: Generated<string | null>;
  message_id: Fixed<string>;
  from_name: Fixed<string>;
  to_name: Fixed<string>;
  to_email: Fixed<string>;
  /** The address for replies; null for none. */
  reply_to: Fixed<string | null>;
  subject: Fixed<string>;
  text: Fixed<string>;
  html: Fixed<string>;
  /** `kept`: written to a file because there was no mail server. See mail/kept-mail.ts. */
  status: 'queued' | 'sent' | 'kept' | 'failed';
  attempts: Generated<number>;
  /**
   * When the next attempt is due. A worker that claims the message moves it on, so that the message comes due again if the
   * worker crashes.
   */
  due_at: Timestamp;
  /** The worker that has the lease while it sends the message. */
  claimed_by: string | null;
  /** Why the last attempt failed; null for no failure. */
  last_error: string | null;
  created_at: Fixed<Timestamp>;
  sent_at: Timestamp | null;
  /**
   * The value of the placeholder `TOKEN` in the text (see `mail/placeholders.ts`); null once a server has accepted the
   * message.
   */
  secret: string | null;
  /** The header `traceparent` of the request that queued the message; null if the service or a command did. */
  traceparent: Generated<string | null>;
  /** 1 for one of many messages that were queued at once. Other messages are sent first. */
  is_bulk: Generated<number>;
}

/** Responses kept for 24 hours, so that a request that is sent twice is executed once. */
export interface IdempotencyTable {
  account_id: Fixed<number>;
  api_key_id: Fixed<number>;
  /** The client's `Idempotency-Key`. */
  key: Fixed<string>;
  /** HMAC-SHA256 of the request under the API key. It distinguishes requests without revealing the passwords in them. */
  fingerprint: Fixed<string>;
  status: Fixed<number>;
  /** Changes once, in the transaction that stores it, if it contains the id of the created object. */
  answer: string;
  created_at: Fixed<Timestamp>;
}

/** Subdomains that were in use. Other accounts cannot take them for 90 days. */
export interface ReleasedSubdomainsTable {
  subdomain: Fixed<string>;
  account_id: Fixed<number>;
  released_at: Timestamp;
}

/**
 * Host names of an account's own. Any account may claim a host. The claim counts once the account has proved in the DNS that
 * it owns the host, and then for that account alone.
 */
export interface DomainsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** Lower case, internationalized names in their ASCII form, without a dot at the end. */
  host: Fixed<string>;
  /** The value that the host's TXT record must have. */
  token: Fixed<string>;
  /** When the account proved that it owns the host; null until then. */
  verified_at: Timestamp | null;
  /** When the DNS was last asked. */
  checked_at: Timestamp | null;
  /** The problems that the last check found, as JSON (see domains/domain-note.ts); null for none. */
  last_error: string | null;
  created_at: Fixed<Timestamp>;
  /** When the service checks the host next; null for never. */
  next_check_at: Timestamp | null;
  /** How many checks by the service in a row have found something missing. */
  failed_checks: Generated<number>;
  /** 1 if the host led visitors here at the last conclusive check; 0 if it did at one time, but no longer does. */
  leads_here: Flag | null;
  /** 1 if the host serves the admin app of the account's customers instead of the account's site. */
  is_app: Generated<Flag>;
}

/** Revisions: the contents of a page before each change. The page's own row has the current contents. */
export interface RevisionsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The page may have been deleted, and may be restored. This is also true of the tables below. */
  page_id: Fixed<number>;
  /** The page's version while it had these contents. */
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

/** Drafts: unpublished contents, one for each page and user, so that users do not overwrite each other's. */
export interface DraftsTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  user_id: Fixed<number>;
  /** The version of the page that the draft is based on. */
  based_on: number;
  updated_at: Timestamp;
  /** JSON: the page's fields that the draft sets. */
  fields: string;
}

/** The images that pages show, including deleted pages: see `pages/page-images.ts`. */
export interface PageImagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The user whose draft shows the image; 0 for the published page. */
  draft_by: Fixed<number>;
  /** The hash of the image, which may not exist. */
  hash: Fixed<string>;
}

/**
 * Paths that pages once had, and addresses of another system (in normal form, with their query). A redirect leads to the
 * page's current path, so there are no chains.
 */
export interface RedirectsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  path: Fixed<string>;
  page_id: Fixed<number>;
  /** The content version with which the page left the path. If several pages have, the last one counts. */
  version: number;
}

/** Changes that can be undone for 30 days. */
export interface UndosTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  user_id: Fixed<number>;
  kind: Fixed<'update' | 'move' | 'delete'>;
  /** JSON: what the undo needs, except the pages of a deletion. */
  payload: string;
  /** When the change was made; 0 once the deleted pages have been deleted for good. */
  created_at: Timestamp;
  used_at: Timestamp | null;
  /** The account's content version of the change; 0 for older changes, which have none. */
  version: Generated<number>;
  /** The page that was changed, or that was deleted together with the pages below it. */
  page_id: Fixed<number | null>;
  /** 1 if the change has undone another one. */
  is_undo: Generated<Flag>;
}

/** Deleted pages, as they were, until their deletion can no longer be undone. */
export interface RemovedPagesTable extends Omit<PagesTable, 'id' | 'has_changed'> {
  id: Fixed<number>;
  undo_id: Fixed<number>;
}

/** Removals that can be undone for 10 minutes, with the data that is stored nowhere else. */
export interface RemovalsTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The user who removed the subject. */
  user_id: Fixed<number>;
  kind: Fixed<'domain' | 'key' | 'passkey' | 'user'>;
  /** The id of the domain, key, passkey or user. */
  subject_id: Fixed<number>;
  created_at: Fixed<Timestamp>;
  /** JSON: what the undo needs. It may contain the hash of a password. */
  payload: Fixed<string>;
}

/** An image of an account. It is stored once, however often it is uploaded. */
export interface MediaTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The first 128 bits of the upload's SHA-256, in hex. It is part of the image's address. */
  hash: Fixed<string>;
  /** The kind of the upload. The stored variants are WebP and AVIF. */
  kind: Fixed<MediaKind>;
  /** The size of the largest variant, in pixels. */
  width: Fixed<number>;
  height: Fixed<number>;
  is_moving: Fixed<Flag>;
  /** The size of all variants together. */
  bytes: Fixed<number>;
  /** The name of the uploaded file. */
  name: string;
  /** The alternative text: empty for decoration, null if nobody has written one. */
  alt: string | null;
  /** The folder of its files in the store. The name is never used again, even if the same image is uploaded again. */
  folder: Fixed<string>;
  /** JSON: the names of its files, and the size of each in bytes. */
  files: Fixed<string>;
  created_at: Fixed<Timestamp>;
  created_by: Fixed<number>;
  /** When the image was removed, after which it can be restored for 30 days; 0 once it has been deleted for good. */
  removed_at: Timestamp | null;
  /** The user who removed it; null for images that were removed before this was recorded. */
  removed_by: Generated<number | null>;
}

/** Accounts whose pages are in the search index: see `pages/search-index.ts`. This table and the next three are in no backup. */
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

/** Pages in the search index. Their words are in the column `words` on PostgreSQL, in the table `search_words` on SQLite. */
export interface SearchPagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The page's version when it was indexed. */
  version: Generated<number>;
  /** The name without accents, in lower case. */
  name: string;
}

/**
 * The words in SQLite's search index, without the account's number. A word stays even if the last page with it is deleted.
 * PostgreSQL finds the beginnings of words in its index itself.
 */
export interface SearchVocabularyTable {
  account_id: Fixed<number>;
  word: Fixed<string>;
}

export interface MigrationsTable {
  name: Fixed<string>;
  applied_at: Fixed<Timestamp>;
}

/**
 * The brand that an account's customers see instead of the product's name. Their own customers see it too, unless a nearer
 * account has a brand.
 */
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
  /** The sender's name in messages to customers; null for the brand's name. */
  sender_name: string | null;
  /** The address for replies to messages; null for that of the account's owner. */
  reply_to: string | null;
  /** The names of its images (see brands/brand-image.ts); null for none. */
  logo: Generated<string | null>;
  logo_dark: Generated<string | null>;
  icon: Generated<string | null>;
  /** Counts the changes of the brand. */
  version: number;
  changed_at: Timestamp;
}

/** Sites that an account's new customers can start from. */
export interface TemplatesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The account whose site is the template: the account itself, or a customer. */
  site_id: Fixed<number>;
  /** The position in the list of templates. */
  position: number;
  created_at: Fixed<Timestamp>;
  /** When the template was retired. The sites that were made from it stay. */
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

/** The pages of these sites that are kept in sync with a page of the template. */
export interface TemplatePagesTable {
  account_id: Fixed<number>;
  page_id: Fixed<number>;
  /** The page of the template. */
  source_id: Fixed<number>;
  /** The page's version when it was last in sync. A page that still has this version has not been changed. */
  version: number;
  /** The hash of the page's contents at that time: see `templates/page-hash.ts`. */
  hash: string;
}

/** Changes of a template that are pushed to the sites that were made from it. */
export interface TemplatePushesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  template_id: Fixed<number>;
  created_at: Fixed<Timestamp>;
  /** The name of the person who started the push. */
  created_by: Fixed<string>;
  /** The user who started the push or, later, began to undo it; null for the operator. */
  user_id: number | null;
  /** When the last of its sites was done. */
  finished_at: Timestamp | null;
  stopped_at: Timestamp | null;
  undo_begun_at: Timestamp | null;
  undone_at: Timestamp | null;
}

/** One site of a push. The transaction that changes the site also changes the state, so that the site is changed once. */
export interface TemplatePushSitesTable {
  /** The customer. */
  account_id: Fixed<number>;
  push_id: Fixed<number>;
  /** `waiting` for the push, `undo` for its undo. */
  state: 'waiting' | 'done' | 'failed' | 'stopped' | 'undo' | 'undone';
  done_at: Timestamp | null;
  /** How many pages were changed, added or put back. */
  changed_pages: number;
  /** How many pages were left as they were. They are listed in the result. */
  left_pages: number;
  /** JSON: see `templates/push-result.ts`. */
  result: string;
}

/** The texts of messages to customers that an account with a brand has chosen. */
export interface MailWordsTable {
  account_id: Fixed<number>;
  /** See mail/mail-words.ts. */
  kind: Fixed<string>;
  /** Counts the changes of the texts. */
  version: number;
  changed_at: Timestamp;
  subject: string;
  text: string;
}

/** Logos and icons, including those that no brand shows yet or any more. */
export interface BrandImagesTable {
  account_id: Fixed<number>;
  /** A part of the image's address. It says what the image is: see brands/brand-image.ts. */
  name: Fixed<string>;
  created_at: Timestamp;
  /** The image in base64. */
  png: Fixed<string>;
}

/** Addresses to which the events of accounts are sent. */
export interface WebhooksTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  url: Fixed<string>;
  /** The kinds of events that are sent, separated by spaces; null for all. */
  kinds: Fixed<string | null>;
  /** The secret that signs the events. It must be readable, so it is no hash. */
  secret: string;
  /** The previous secret, and until when it signs events too. */
  old_secret: string | null;
  old_secret_until: Timestamp | null;
  created_at: Fixed<Timestamp>;
  /** The last event of the account that was sent or skipped. */
  last_event_id: number;
  /** When the next event may be sent. While one is being sent: when the worker's lease ends. */
  due_at: Timestamp;
  claimed_by: string | null;
  /** How many attempts have failed since the last success, and when the first of them failed. */
  failures: Generated<number>;
  failing_since: Timestamp | null;
  /** When the service paused the webhook because it had failed for too long. */
  paused_at: Timestamp | null;
  removed_at: Timestamp | null;
  /** 1 if the last answer was slow. */
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
  /** In milliseconds. */
  duration: Fixed<number>;
  /** The status of the answer; null for none. */
  status: Fixed<number | null>;
  error: Fixed<string | null>;
  /** The beginning of the answer. */
  response: Fixed<string>;
}

/** The archive of an account that one of its people has requested. A new archive replaces it. */
export interface AccountArchivesTable {
  id: Generated<number>;
  account_id: Fixed<number>;
  /** The person who requested the archive, and that person's name in the audit log. */
  user_id: Fixed<number>;
  actor: Fixed<string>;
  ip: Fixed<string | null>;
  state: 'waiting' | 'done' | 'failed';
  created_at: Fixed<Timestamp>;
  /** When the archive is deleted; null while it waits. */
  expires_at: Timestamp | null;
  /** The name of its file; null until the archive is done. */
  file: string | null;
  bytes: number | null;
  /** How often a worker has begun to make the archive. */
  attempts: Generated<number>;
  /** The worker that makes the archive, and until when other workers leave it alone. */
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
