// Made by generate.ts from the tables of the service. Do not edit.

import type { CallOptions, Route } from './route.ts';

/** What the service can do. Each method is one operation of its API. */
export interface Operations {
  /** Creates a customer account under the key owner's account, with its admin user and, unless `skip_default_pages` is `1`, default pages. The new user is mailed login instructions. Either everything is created or nothing. */
  createCustomer(input: {
    /** Name of the account. */
    account_name: string;
    /** Subdomain for the account: letters, digits and hyphens, no hyphen first or last. Case does not matter. A subdomain already in use makes the creation fail. */
    account_subdomain: string;
    /** Name of the admin user. */
    user_name: string;
    /** E-mail address of the admin user, who is mailed login instructions. */
    user_email: string;
    /** Password of the admin user: at least 8 characters, at most 1,024 bytes. */
    user_password: string;
    /** Must be exactly equal to the password. */
    user_password_confirmation: string;
    /** `1` means no default pages are created. Any other value, or none, means they are. */
    skip_default_pages?: string | 1;
  }, options?: CallOptions): Promise<{
  /** Id of the customer's account, if requested with `Prefer`. */
  id: string;
}>;
  /** The customers of the account, newest first, in parts. A part may be short or empty although more customers follow: the list ends when `next` is null. */
  listCustomers(input?: {
    /** Finds at most 50 customers, sorted by name, whose name or subdomain begins with this text, or that have a user with this e-mail address, or this domain. */
    q?: string | number;
    /** Only customers in this state. */
    state?: 'active' | 'suspended';
    /** Only customers on this plan. */
    plan_id?: string | number;
    /** Sort order; `newest` by default. */
    sort?: 'newest' | 'oldest' | 'name';
    /** Maximum number of items, up to 500; 50 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    after?: string | number;
  }, options?: CallOptions): Promise<CustomerList>;
  /** One customer, with its users and its usage of the plan. */
  getCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<CustomerAnswer>;
  /** Changes the name, subdomain or plan of the customer, suspends the customer, or ends the suspension. A new plan applies now or from a later day. Either all changes are made or none. */
  changeCustomer(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the customer's account. */
    name?: string;
    /** Subdomain of the customer's site. A change moves the site: its former address stops working, and nobody else can use the former subdomain for 90 days. */
    subdomain?: string;
    /** Id of the new plan, which applies at once or on the day `plan_on`. */
    plan_id?: string | number;
    /** A later day in the time zone of your account, at the start of which the plan changes. Blank, without a plan: cancels the scheduled change. */
    plan_on?: string;
    /** Suspends the customer, or ends its suspension. */
    state?: 'active' | 'suspended';
    /** Reason for the suspension, which the customer's users see when they sign in. Needs `state`. */
    suspension_reason?: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the customer offline at once, and deletes it for good after 30 days. Until then it can be restored, and keeps its subdomain. */
  deleteCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes the deletion of a customer. */
  restoreCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Mails the login instructions to the first user of the customer again, with a new link. Earlier links stop working. */
  resendInstructions(input: {
    /** Which one, by its id. */
    id: string;
    /** Corrected e-mail address of the user, who must not have signed in yet. */
    user_email?: string;
  }, options?: CallOptions): Promise<void>;
  /** The scheduled plan changes of customers, and those that could not be made on their day, earliest first, in parts. To schedule or cancel a change, change the customer. */
  listScheduledChanges(input?: {
    /** Maximum number of items, up to 500; 100 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    after?: string | number;
  }, options?: CallOptions): Promise<ScheduledChangeList>;
  /** Creates a plan that the account sells to its customers. */
  createPlan(input: {
    /** Name of the plan, unique within the account. */
    name: string;
    /** Price per interval. It cannot be changed: another price needs another plan. */
    price: string | number;
    /** How often the price is due. It cannot be changed. */
    interval: 'month' | 'quarter' | 'year';
    /** Whether new customers get this plan from now on. */
    is_default?: string | number | boolean;
    /** Description of the plan, for the users of your account. */
    description?: string;
    /** Length of the free trial in days, on a customer's first plan with a price. */
    trial_days?: string | number;
    /** Maximum number of pages of a customer. Blank: no limit. */
    pages?: string | number;
    /** Maximum number of users, including invited users. Blank: no limit. */
    people?: string | number;
    /** Maximum storage for images, in megabytes. Blank: no limit. */
    storage_mb?: string | number;
    /** Maximum number of own domains. Blank: no limit. */
    domains?: string | number;
  }, options?: CallOptions): Promise<{
  /**  */
  plan: Plan;
}>;
  /** The plans that the account sells, in the order of the admin app, with their prices and limits. */
  listPlans(input?: object, options?: CallOptions): Promise<PlanList>;
  /** One plan, with its price and limits. */
  getPlan(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<PlanAnswer>;
  /** Changes a plan, except its price and interval. Fields that are not sent stay as they are. Either all changes are made or none. Customers above a new limit keep what they have, but cannot add more. */
  changePlan(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the plan, unique within the account. */
    name?: string;
    /** Description of the plan, for the users of your account. */
    description?: string;
    /** Length of the free trial in days, on a customer's first plan with a price. */
    trial_days?: string | number;
    /** Maximum number of pages of a customer. Blank: no limit. */
    pages?: string | number;
    /** Maximum number of users, including invited users. Blank: no limit. */
    people?: string | number;
    /** Maximum storage for images, in megabytes. Blank: no limit. */
    storage_mb?: string | number;
    /** Maximum number of own domains. Blank: no limit. */
    domains?: string | number;
    /** Position in the list of plans, starting at 1. A position beyond the end is the last. */
    position?: string | number;
    /** True puts new customers on this plan. To end this, set it for another plan. */
    is_default?: string | number | boolean;
    /** True retires the plan: its customers stay on it, and no more customers can get it. False offers it again. */
    is_retired?: string | number | boolean;
  }, options?: CallOptions): Promise<{
  /**  */
  plan: Plan;
}>;
  /** Calculates the effect of another price if the customers on the plan paid it. Nothing is changed. */
  previewPrice(input: {
    /** Which one, by its id. */
    id: string;
    /** The new price per interval; the present price by default. */
    price?: string | number;
  }, options?: CallOptions): Promise<PricePreview>;
  /** Sells the plan at another price: a new plan with the same limits replaces it, and the old plan is retired. With a day, customers move to the new plan on that day, except customers with another scheduled change. The change can be undone until that day, or for 10 minutes if there is no day. */
  changePrice(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the plan at the new price, unique within the account. */
    name: string;
    /** The new price per interval. */
    price: string | number;
    /** A later day in the time zone of your account, from which the customers on the plan pay the new price too. Blank: they keep the old price. */
    from?: string;
  }, options?: CallOptions): Promise<{
  /** Identifier of the change. */
  id: string;
  /**  */
  plan: Plan;
  /** Number of customers that the change moves. */
  customers_count: number;
}>;
  /** Price changes that are scheduled for a later day, earliest first. */
  listPriceChanges(input?: object, options?: CallOptions): Promise<PriceChangeList>;
  /** Offers the old plan again, and keeps its customers on it. The new plan is deleted if it never had a customer, and retired otherwise. */
  undoPriceChange(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Sets the currency of all prices. Amounts are never converted: once a customer is on a plan with a price, the currency cannot be changed. */
  changeCurrency(input: {
    /** ISO 4217 code of the currency. */
    currency: string;
  }, options?: CallOptions): Promise<{
  /** ISO 4217 code of the currency. */
  currency: string;
}>;
  /** Creates a page on the key owner's account, last among its siblings. The response has its id if you send `Prefer: return=representation`. */
  createPage(input: {
    /** Name of the page, unique within the account. */
    name: string | number;
    /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
    body?: string | number;
    /** Id of the page under which this page becomes a sub-page. Blank means a root-level page. */
    parent_id?: string | number;
    /** When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f. */
    is_hidden?: string | number | boolean;
    /** When false, visitors do not see the page before it is published. Blank means true. */
    is_published?: string | number | boolean;
    /** Excerpt of the page, used as meta-data. */
    description?: string | number;
    /** Format used to edit the page. If not set, the editor chosen in the account settings. */
    body_format?: 'markdown_format' | 'wysiwyg_format';
  }, options?: CallOptions): Promise<{
  /** Id of the page, if requested with `Prefer`. */
  id: string;
}>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input: {
    /** The fields of each page in the response, separated by commas; `children` is always included. All fields by default. */
    fields?: string | number;
    /** A version of the list, from the header `Pages-Version` or from `version` of earlier changes. The response has only the changes since then. */
    since: string | number;
  }, options?: CallOptions): Promise<ChangedPages>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input: {
    /** The fields of each page in the response, separated by commas; `children` is always included. All fields by default. */
    fields?: string | number;
    /** How many levels to list, from 1 to 30. Pages of the last level whose sub-pages are left out have no `children`. */
    depth?: string | number;
  }, options?: CallOptions): Promise<PageSelection>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input?: undefined, options?: CallOptions): Promise<PageList>;
  /** One page with the fields that it has in the list, except its sub-pages, and whether it is published. */
  getPage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<PageAnswer>;
  /** Changes the fields that are sent, and moves the page if `parent_id` or `position` is sent. Former contents are kept as a revision, and former URLs redirect. With `If-Match`, nothing is changed if the page has changed since. */
  changePage(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the page, unique within the account. */
    name?: string | number;
    /** The page's segment of the URL. Blank: it is made from the name. Former URLs redirect. */
    urlname?: string | number;
    /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
    body?: string | number;
    /** Format used to edit the page. */
    body_format?: 'markdown_format' | 'wysiwyg_format';
    /** Excerpt of the page. Blank removes it. */
    description?: string | number;
    /** When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f. */
    is_hidden?: string | number | boolean;
    /** Whether visitors see the page. */
    is_published?: string | boolean;
    /** Id of the page below which to move the page, with its sub-pages; blank or `0` for the root. */
    parent_id?: string | number;
    /** Position among its siblings, starting at 1. By default, a page that moves to another parent goes last. */
    position?: string | number;
    /** A date of the page: in ISO 8601 with a time zone, or in the form of the list. */
    custom_date?: string;
  }, options?: CallOptions): Promise<void>;
  /** Moves the page with all of its sub-pages to the trash, where it can be restored for 30 days. */
  deletePage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the page out of the trash, with the sub-pages that were deleted with it, to its former place or as near as possible. Names and URLs that other pages have by now get a number. */
  restorePage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes the latest change of the page within the last 30 days, no matter who made it: a change of its contents, place or visibility, or its deletion. Sent again, it undoes the previous change. With `If-Match`, nothing is changed if the page has changed since. */
  undoPageChange(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Creates all pages of a tree, or none. The top pages of the tree go last among their siblings. The tree has the form of the list of pages, so the list of one account can be imported into another. Ids, URLs, positions, and the users and times of creation and update are ignored. At most 20,000 pages. */
  importPages(input: {
    /** The pages, in the form of the list of pages. */
    pages: PageToImport[];
    /** Id of the page below which the tree is created. Blank means the root. */
    parent_id?: string | number;
    /** Name of the page below which the posts of a site are created; “Blog” by default. */
    posts?: string;
    /** Address of the old site, for a Ghost export, which does not contain it. */
    site_url?: string;
    /** When true, the images of a site are copied from the old site, for up to 8 minutes. */
    images?: string | boolean;
    /** When true, the tree is checked and nothing is created. */
    dry_run?: string | boolean;
  }, options?: CallOptions): Promise<{
  /** Number of pages in the tree. */
  count: number;
  /** The new pages, as a tree like the document. Empty for a dry run. */
  pages: ImportedPage[];
  /** Only for an export of another system. */
  site?: ImportedSite;
}>;
  /** Saves the fields that are sent in the draft of the key's user, and starts a draft if there is none. Visitors do not see the draft until it is published. The admin app shows it to the user. */
  changeDraft(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the page, unique within the account. */
    name?: string | number;
    /** The page's segment of the URL. Blank: it is made from the name. Former URLs redirect. */
    urlname?: string | number;
    /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
    body?: string | number;
    /** Format used to edit the page. */
    body_format?: 'markdown_format' | 'wysiwyg_format';
    /** Excerpt of the page. Blank removes it. */
    description?: string | number;
    /** When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f. */
    is_hidden?: string | number | boolean;
    /** A date of the page: in ISO 8601 with a time zone, or in the form of the list. */
    custom_date?: string;
  }, options?: CallOptions): Promise<void>;
  /** The draft of the page by the key's user: what visitors will see once it is published. Fields that the draft does not change have the values of the page. */
  getDraft(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<DraftAnswer>;
  /** Deletes the draft of the key's user. The page stays as visitors see it. */
  discardDraft(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Publishes the draft of the key's user: visitors see the page with its contents. A page that is not published needs no draft. If the page has changed since the draft was started, nothing is published, unless `If-Match` is the current `ETag` of the page. */
  publishPage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** The earlier contents of a page, newest first, in parts. Revisions are kept for 90 days, and the latest 200 in any case. */
  listRevisions(input: {
    /** Which one, by its id. */
    id: string;
    /** Maximum number of items, up to 200; 50 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    before?: string | number;
  }, options?: CallOptions): Promise<RevisionList>;
  /** Earlier contents of a page. */
  getRevision(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<RevisionAnswer>;
  /** Restores the contents of the revision: text, format, description, and the name if no other page has it by now. The page's present contents become a revision too. */
  restoreRevision(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Adds a permanent redirect from a path of the site to a page. The redirect follows the page when it moves. A page at the path takes precedence, unless the path has a query. `former_page_id` is the page to which the path led until now. */
  addRedirect(input: {
    /** The path on the site. Include the query if the former website told pages apart by it, as in `/index.php?page=3`. Letters of all scripts may be percent-encoded. */
    path: string;
    /** Id of the page to which the path leads, even after the page moves. */
    page_id: string | number;
  }, options?: CallOptions): Promise<{
  /** Id of the other page to which the path led until now; null if there was none. */
  former_page_id: string | null;
  /** Id of the redirect, if requested with `Prefer`. */
  id: string;
}>;
  /** The paths that redirect to pages: former URLs of pages that were moved, renamed or deleted, and paths that were added. Sorted by page, in parts. */
  listRedirects(input?: {
    /** Only redirects to this page. */
    page_id?: string | number;
    /** Maximum number of items, up to 500; 100 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    after?: string | number;
  }, options?: CallOptions): Promise<RedirectList>;
  /** Removes the redirect. If the path led to another page before, it leads there again; otherwise it leads nowhere. */
  removeRedirect(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Stores an image for the pages of the account: JPEG, PNG, WebP, AVIF or GIF. The image is turned upright, scaled to several sizes, and stripped of camera data such as the location. The text of a page shows it with `<img src="…" alt="…">` and its `src`. If the account already has the image, it is not stored again, and the response describes the existing image. Instead of a file, you can send its web address as `url`. */
  uploadImage(input?: {
    /** The image. Or send `url`. */
    file?: Blob;
    /** Name of the file, unless the form has it. */
    name?: string;
    /** Description for people who cannot see the image. Blank for decoration. */
    alt?: string;
    /** Web address of the image, instead of a file. It must not lead into a private network. */
    url?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  image: Image;
}>;
  /** The images of the account, newest first, 50 at a time. Deleted images are not listed. */
  listImages(input?: {
    /** Only images older than this one: the last id of the previous response. */
    before?: string | number;
  }, options?: CallOptions): Promise<ImageList>;
  /** One image. Its file is at `src` on the account's site. */
  getImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<ImageAnswer>;
  /** Sets the description of the image for pages into which it is inserted from now on. */
  changeImage(input: {
    /** Which one, by its id. */
    id: string;
    /** Description for people who cannot see the image. Blank for decoration. Pages that already show the image keep its former description. */
    alt: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the image off the site at once. It stays in the trash for 30 days, unless its space is needed earlier. */
  deleteImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the image out of the trash. Pages that use it show it again. */
  restoreImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Adds a domain to the site of the account. The response lists the DNS records to create. The service checks for them at growing intervals, and serves the site at the domain once it finds them. */
  addDomain(input: {
    /** The host name. */
    host: string;
  }, options?: CallOptions): Promise<{
  /**  */
  domain: Domain;
}>;
  /** All domains of the account's site, in the order in which they were added. */
  listDomains(input?: object, options?: CallOptions): Promise<DomainList>;
  /** One domain, with the DNS records to create and the problems that the last check found. */
  getDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<DomainAnswer>;
  /** Checks the DNS records now. The response has the domain after the check: if records are missing, `verified_at` is null and `problems` says why. */
  verifyDomain(input: {
    /** Which one, by its id. */
    id: string;
    /** Whether to verify the domain even if it does not lead visitors to this service yet. */
    may_lead_elsewhere?: string | boolean | 1;
  }, options?: CallOptions): Promise<{
  /**  */
  domain: Domain;
}>;
  /** Stops serving the site at the domain at once. The domain can be restored for 10 minutes. */
  removeDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes. */
  restoreDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Adds a user to the account, and mails them a link to choose a password. The link works once, within seven days. */
  inviteUser(input: {
    /** Name of the user. */
    name: string;
    /** E-mail address of the user, to which the invitation is sent. */
    email: string;
    /** Role of the user. */
    role: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  }, options?: CallOptions): Promise<{
  /** Identifier of the user. */
  id: string;
}>;
  /** The users of the account, oldest first. */
  listUsers(input?: object, options?: CallOptions): Promise<UserList>;
  /** Mails the invitation again, with a new link. Earlier links stop working. */
  inviteUserAgain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Changes the name or the role of a user. If the new role may not issue keys, the user's keys are revoked. */
  changeUser(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the user. */
    name?: string;
    /** Role of the user. */
    role?: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  }, options?: CallOptions): Promise<void>;
  /** Signs a user out, removes them from the account, and revokes their keys. They can be restored for 10 minutes. */
  removeUser(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes. The user has to sign in again. */
  restoreUser(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Changes settings of the account and the look of its site. Fields that are not sent stay as they are. */
  changeSettings(input?: {
    /** Name of the account. */
    name?: string;
    /** Language of the site's built-in texts, as a language tag. */
    language?: string;
    /** Time zone, as an IANA name. */
    time_zone?: string;
    /** Format of new pages. */
    editor?: 'markdown_format' | 'wysiwyg_format';
    /** Theme of the site. */
    theme?: 'typographic' | 'business' | 'portfolio' | 'documentation';
    /** Colour of the site. */
    accent?: string;
    /** Page to which a second button on the home page leads. Blank: no button. */
    second_button?: string;
  }, options?: CallOptions): Promise<void>;
  /** The settings of the account and the look of its site. */
  getSettings(input?: object, options?: CallOptions): Promise<SettingsAnswer>;
  /** The events of the account, oldest first, in parts: each change of pages, images, users, settings and customers is an event. Events are kept for 400 days. No event is ever added before one that you have read, so following `next` misses none. */
  listEvents(input?: {
    /** Only events after this one: `next` of the previous part, or `latest` for future events only. Starts with the oldest event by default. */
    after?: string | number;
    /** Maximum number of events, up to 1000; 100 by default. A part may be shorter although more events follow. */
    limit?: string | number;
  }, options?: CallOptions): Promise<EventList>;
  /** Sends the events of the account to the address from now on. The first event is that the webhook was added. The secret in the response signs the requests. */
  addWebhook(input: {
    /** The address. It must use HTTPS, and must not lead into a private network. */
    url: string;
    /** Kinds of events to send, which are the first part of their types, separated by spaces: page, media, customer, plan, user, domain, mail, settings. Blank: all events. */
    kinds?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  webhook: Webhook;
  /** The secret. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because responses with secrets are not stored. */
  secret: string | null;
}>;
  /** All webhooks of the account, in the order in which they were added. The list does not contain the secrets. */
  listWebhooks(input?: object, options?: CallOptions): Promise<WebhookList>;
  /** One webhook, and whether its events are delivered. */
  getWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<WebhookAnswer>;
  /** Changes the address, or the kinds of events to send. Fields that are not sent stay as they are, and so does the secret. Waiting events are sent to the new address at once. */
  changeWebhook(input: {
    /** Which one, by its id. */
    id: string;
    /** The address. It must use HTTPS, and must not lead into a private network. */
    url?: string;
    /** Kinds of events to send, which are the first part of their types, separated by spaces: page, media, customer, plan, user, domain, mail, settings. Blank: all events. */
    kinds?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  webhook: Webhook;
}>;
  /** Sends a message of the type `webhook.test`, even while the webhook is paused, and returns the result. An account can send 60 tests an hour. */
  testWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<{
  /**  */
  attempt: Attempt;
}>;
  /** All attempts of the last 14 days to send an event to the webhook, newest first, in parts: the event, and the response. */
  listDeliveries(input: {
    /** Which one, by its id. */
    id: string;
    /** Maximum number of items, up to 500; 50 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    before?: string | number;
  }, options?: CallOptions): Promise<DeliveryList>;
  /** Retries waiting events at once. A paused webhook continues where it stopped. */
  resumeWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Sends one event at once, even if the webhook does not receive events of its kind or is paused, and returns the result. Waiting events are not affected. Counts as a test. */
  replayEvent(input: {
    /** Which one, by its id. */
    id: string;
    /** The event to send again. */
    event: string;
  }, options?: CallOptions): Promise<{
  /**  */
  attempt: Attempt;
}>;
  /** Sends all events again, starting with one event, in order, of the kinds that the webhook receives. Resumes the webhook if it was paused. */
  resendEvents(input: {
    /** Which one, by its id. */
    id: string;
    /** The first event to send again. */
    from: string;
  }, options?: CallOptions): Promise<void>;
  /** Gives the webhook a new secret. For a day, events are also signed with the former secret, so that programs can switch over. */
  rotateWebhookSecret(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<{
  /** The secret. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because responses with secrets are not stored. */
  secret: string | null;
}>;
  /** Sends nothing more to the address. The webhook can be restored for 10 minutes. */
  removeWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes. The webhook receives the events since then, signed with its former secret. */
  restoreWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Issues an API key for your account, or for a customer's account so that your programs can work on the customer's pages. A customer's key is limited to the website: pages, images, domains and settings. The audit logs of both accounts record it. The customer sees the key in its list of keys, and can revoke it. The key does not work while the customer forbids its agency to sign in. */
  issueKey(input: {
    /** Purpose of the key. */
    name: string;
    /** Scopes to which the key is limited, separated by spaces: pages:read, pages:write, images:read, images:write, customers:read, customers:write, plans:read, plans:write, revenue:read, domains:read, domains:write, users:read, users:write, settings:read, settings:write, events:read, webhooks:read, webhooks:write, keys:read, keys:write. Blank: the same access as the key of the request. */
    scopes?: string;
    /** When the key expires, in ISO 8601 with a time zone. Blank: when the key of the request expires, which is the latest possible time. */
    expires_at?: string;
    /** The customer in whose account the key works. Blank: your account. */
    account_id?: string | number;
  }, options?: CallOptions): Promise<{
  /** Identifier of the key. */
  id: string;
  /** The key. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because the key is not stored. */
  key: string | null;
}>;
  /** The account's keys, and the keys of customers' accounts that were issued to it, newest first, in parts. The list does not contain the keys themselves. */
  listKeys(input?: {
    /** Maximum number of items, up to 500; 100 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    before?: string | number;
  }, options?: CallOptions): Promise<KeyList>;
  /** Issues a new key with the same name, scopes and period of validity. The old key keeps working for a while, so that programs can switch over. */
  rotateKey(input: {
    /** Which one, by its id. */
    id: string;
    /** How many hours the old key keeps working, up to 2160; 24 by default. */
    overlap_hours?: string | number;
  }, options?: CallOptions): Promise<{
  /** Identifier of the key. */
  id: string;
  /** The key. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because the key is not stored. */
  key: string | null;
}>;
  /** Revokes a key at once. If the key is already revoked, nothing changes. */
  revokeKey(input: {
    /** Which one, by its id. */
    id: string;
    /** Whether to also revoke all keys that were issued with this key, directly or indirectly. Use this if somebody else may have used the key. */
    with_issued?: string | boolean;
  }, options?: CallOptions): Promise<void>;
  /** Reports the recurring revenue of the customers' plans at both ends of a range of days and of each period in it, and the movements in between: new, expansion, contraction, churn and reactivation. Past figures never change. */
  getRevenue(input?: {
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` by default. */
    step?: 'month' | 'quarter' | 'year';
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<Revenue>;
  /** The periods of the report as CSV, with annual amounts, for a spreadsheet. */
  exportRevenue(input?: {
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` by default. */
    step?: 'month' | 'quarter' | 'year';
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<string>;
  /** Reports the recurring revenue of each plan that has ever had a customer, at both ends of a range of days. The plans add up to the revenue of the account. */
  listPlanRevenue(input?: {
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
  }, options?: CallOptions): Promise<PlanRevenueList>;
  /** How many of the customers who joined in each period of a range are still active at the end of the range, and what they pay then. */
  listCohorts(input?: {
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` by default. */
    step?: 'month' | 'quarter' | 'year';
  }, options?: CallOptions): Promise<CohortList>;
  /** The customers that a figure of the revenue counts, in parts. The annual amounts that they pay, or the changes of these amounts for a movement, add up to the figure exactly. */
  listRevenueCustomers(input?: {
    /** The figure: customers at the end of the last day (`paying`, `free`), movements during the days, or customers who joined during the days (`came`) and are still active (`stayed`). `paying` by default. */
    figure?: 'paying' | 'free' | 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation' | 'came' | 'stayed';
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
    /** For `came` and `stayed`: the day at the end of which the customers are listed; the last day by default. */
    as_of?: string | number;
    /** Only the revenue of this plan. */
    plan_id?: string | number;
    /** Maximum number of items, up to 500; 100 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    after?: string | number;
  }, options?: CallOptions): Promise<RevenueCustomerList>;
  /** All customers that a figure of the revenue counts, as CSV. */
  exportRevenueCustomers(input?: {
    /** The figure: customers at the end of the last day (`paying`, `free`), movements during the days, or customers who joined during the days (`came`) and are still active (`stayed`). `paying` by default. */
    figure?: 'paying' | 'free' | 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation' | 'came' | 'stayed';
    /** The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today by default. At most ten years after the first. */
    to?: string | number;
    /** For `came` and `stayed`: the day at the end of which the customers are listed; the last day by default. */
    as_of?: string | number;
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<string>;
  /** Forecasts the effect of scheduled plan changes and of ending trials on the revenue, by month. Suspended customers, and changes that cannot be made, are left out. */
  getForecast(input?: object, options?: CallOptions): Promise<Forecast>;
  /** The scheduled changes and ends of trials behind the forecast, earliest first, in parts. They add up to the amounts of the forecast. */
  listForecastChanges(input?: {
    /** Only changes in this month. */
    month?: string | number;
    /** Maximum number of items, up to 500; 100 by default. */
    limit?: string | number;
    /** `next` of the previous part. */
    after?: string | number;
  }, options?: CallOptions): Promise<ForecastChangeList>;
  /** The scheduled changes and ends of trials behind the forecast, as CSV. */
  exportForecast(input?: object, options?: CallOptions): Promise<string>;
  /** A summary of the key owner's account: its plan, its customers and what they bring in, now or at the end of a past day. */
  getAccount(input?: {
    /** A day up to today, in the account's time zone: plan, customers and revenue are as they were at its end. */
    as_of?: string | number;
  }, options?: CallOptions): Promise<AccountInformation>;
}

export interface Account {
  /** Account identifier. */
  id: string;
  /** Account name. */
  name: string;
  /** Public address of the account's site. */
  url: string;
  /** Creation time. */
  created_at: string;
  /** Name of the plan the account itself is on. */
  plan_name: string;
  /** Price of that plan. A decimal number. */
  plan_price: string;
  /** Number of active customers whose plan has a price. */
  paying_customers_count: number;
  /** Number of active customers whose plan is free. */
  free_customers_count: number;
  /** A twelfth of the year's revenue. A decimal number. */
  monthly_revenue: string;
  /** A quarter of the year's revenue. A decimal number. */
  quarterly_revenue: string;
  /** What the paying customers' plans bring in over a year, at today's prices. A decimal number. */
  annual_revenue: string;
}

export interface AccountInformation {
  /**  */
  account: Account;
}

export interface Attempt {
  /** Time of the attempt. */
  sent_at: string;
  /** Duration of the attempt, in milliseconds. */
  duration_ms: number;
  /** Status of the response; null if there was none. */
  status: number | null;
  /** Why there was no response; null if there was one. */
  error: string | null;
  /** First 1,000 characters of the response. */
  response: string;
}

export interface ChangedPages {
  /** The version of the list after these changes: `since` for the next request. */
  version: number;
  /** New, changed, moved and restored pages, in the order of their positions. */
  changed: SelectedPage[];
  /** Ids of pages that are gone, which may include pages that were created since. */
  deleted: string[];
}

export interface Cohort {
  /** First day of the period in which the customers joined. */
  from: string;
  /** Last day of that period. */
  to: string;
  /** Number of customers who joined. */
  customers_count: number;
  /** Number of these customers who are active at the end of the range. */
  active_customers_count: number;
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
}

export interface CohortList {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** The length of the periods. */
  step: 'month' | 'quarter' | 'year';
  /** Earliest first. */
  cohorts: Cohort[];
}

export interface CustomerAccount {
  /** Identifier of the customer's account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Subdomain of the customer's site. */
  subdomain: string;
  /** Public address of the customer's site. */
  url: string;
  /** Whether the customer is suspended. */
  state: 'active' | 'suspended';
  /** Reason for the suspension, which the customer's users see. */
  suspension_reason: string | null;
  /** Creation time. */
  created_at: string;
  /** Identifier of the customer's plan. */
  plan_id: string;
  /** Name of the customer's plan. */
  plan_name: string;
  /** Price of the customer's plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** First paid day after the current trial; null if there is none. */
  trial_ends_on: string | null;
  /** Identifier of the scheduled plan; null if there is none. */
  scheduled_plan_id: string | null;
  /** Day from which the scheduled plan applies; null if there is none. */
  scheduled_on: string | null;
}

export interface CustomerAnswer {
  /**  */
  customer: CustomerDetails;
}

export interface CustomerDetails {
  /** Identifier of the customer's account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Subdomain of the customer's site. */
  subdomain: string;
  /** Public address of the customer's site. */
  url: string;
  /** Whether the customer is suspended. */
  state: 'active' | 'suspended';
  /** Reason for the suspension, which the customer's users see. */
  suspension_reason: string | null;
  /** Creation time. */
  created_at: string;
  /** Identifier of the customer's plan. */
  plan_id: string;
  /** Name of the customer's plan. */
  plan_name: string;
  /** Price of the customer's plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** First paid day after the current trial; null if there is none. */
  trial_ends_on: string | null;
  /** Identifier of the scheduled plan; null if there is none. */
  scheduled_plan_id: string | null;
  /** Day from which the scheduled plan applies; null if there is none. */
  scheduled_on: string | null;
  /** Day on which the customer is deleted for good, in UTC; null if there is none. */
  deletes_on: string | null;
  /** The customer's users, oldest first. */
  users: CustomerUser[];
  /**  */
  usage: {
  /**  */
  pages: {
  /** Amount in use. */
  used: number;
  /** Limit of the plan; null if there is no limit. */
  limit: number | null;
};
  /**  */
  people: {
  /** Amount in use. */
  used: number;
  /** Limit of the plan; null if there is no limit. */
  limit: number | null;
};
  /**  */
  storage: {
  /** Amount in use. */
  used: number;
  /** Limit of the plan; null if there is no limit. */
  limit: number | null;
};
  /**  */
  domains: {
  /** Amount in use. */
  used: number;
  /** Limit of the plan; null if there is no limit. */
  limit: number | null;
};
};
}

export interface CustomerList {
  /** Sorted by `sort`, or by name with `q`. */
  customers: CustomerAccount[];
  /** `after` for the next part; null for the last part, and with `q`. */
  next: string | null;
}

export interface CustomerUser {
  /** Identifier of the user. */
  id: string;
  /** Name of the user. */
  name: string;
  /** E-mail address. */
  email: string;
  /** Role in the account. */
  role: string;
  /** Whether the user has ever signed in. */
  has_signed_in: boolean;
}

export interface Delivery {
  /** Identifier of the delivery. */
  id: string;
  /** Identifier of the event; null for a test. */
  event_id: string | null;
  /** Time of the attempt. */
  sent_at: string;
  /** Duration of the attempt, in milliseconds. */
  duration_ms: number;
  /** Status of the response; null if there was none. */
  status: number | null;
  /** Why there was no response; null if there was one. */
  error: string | null;
  /** First 1,000 characters of the response. */
  response: string;
  /** The event that was sent; null for a test, and for an event that is no longer kept. */
  request: Event | null;
}

export interface DeliveryList {
  /** Newest first. */
  deliveries: Delivery[];
  /** `before` for the next part; null for the last part. */
  next: string | null;
}

export interface DnsRecord {
  /** Record type. ALIAS is a type that some providers offer for the apex of a domain. */
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
  /** Full name of the record. */
  name: string;
  /** Value of the record. */
  value: string;
}

export interface Domain {
  /** Identifier of the domain. */
  id: string;
  /** Host name, in ASCII. */
  host: string;
  /** Whether the site's other addresses redirect to this domain. */
  is_primary: boolean;
  /** When the domain was verified, from which time it serves the site; null if it is not verified. */
  verified_at: string | null;
  /** When the DNS records were last checked; null if never. */
  checked_at: string | null;
  /** Problems that the last check found. */
  problems: string[];
  /** DNS records to create: they verify the domain and lead visitors to the site. */
  records: DnsRecord[];
}

export interface DomainAnswer {
  /**  */
  domain: Domain;
}

export interface DomainList {
  /** Oldest first. */
  domains: Domain[];
}

export interface Draft {
  /** Page identifier. */
  page_id: string;
  /** Name of the page. */
  name: string;
  /** URL-safe form of the name. */
  urlname: string;
  /** Page content, byte for byte as it was sent. */
  body: string;
  /** Editor format; empty for some imported and older pages. */
  body_format: 'markdown_format' | 'wysiwyg_format' | '';
  /** Page excerpt; null when unset. */
  description: string | null;
  /** Whether the page is hidden from navigation. Hidden pages are listed too. */
  is_hidden: boolean;
  /** A date of the page, in UTC; it starts as the creation time. */
  custom_date: string;
  /** When the draft was last saved, in UTC. */
  updated_at: string;
  /** Whether the page has changed since the draft was started. */
  is_outdated: boolean;
}

export interface DraftAnswer {
  /**  */
  draft: Draft;
}

export interface Event {
  /** Type of the event: a kind of object, and what was done to it. */
  type: string;
  /** Time of the event, in ISO 8601. */
  timestamp: string;
  /**  */
  data: EventData;
}

export interface EventData {
  /** Identifier of the event. */
  id: string;
  /** Identifier of the account. */
  account_id: string;
  /** Identifier of the object that the event is about. */
  subject: string;
  /** Name of the actor, such as a user. */
  actor: string;
  /** Names, and old and new values, for people to read. Its fields depend on the type. */
  details: Record<string, unknown>;
}

export interface EventList {
  /** Oldest first. */
  events: Event[];
  /** `after` for the next part, even if there are no more events yet. */
  next: string;
}

export interface Forecast {
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** The months with changes, earliest first. */
  months: ForecastMonth[];
}

export interface ForecastAmount {
  /** Number of changes. */
  count: number;
  /** Change of the monthly revenue. It may be negative. */
  monthly_revenue: string;
  /** Exact change of the annual revenue. It may be negative. */
  annual_revenue: string;
}

export interface ForecastChange {
  /** Day of the change. */
  on: string;
  /** `move`: a scheduled change of the plan. `trial`: the trial ends. */
  kind: 'move' | 'trial';
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Name of the customer. */
  customer_name: string;
  /** Name of the plan before the change. */
  from_plan_name: string;
  /** Name of the plan after the change, which stays the same when a trial ends. */
  to_plan_name: string;
  /** Price of the plan after the change. A decimal number. */
  plan_price: string;
  /** How often that price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** Change of what the customer pays in a year. A decimal number, which may be negative. */
  annual_change: string;
}

export interface ForecastChangeList {
  /** Earliest first. */
  changes: ForecastChange[];
  /** `after` for the next part; null for the last part. */
  next: string | null;
}

export interface ForecastMonth {
  /** The month. */
  month: string;
  /**  */
  scheduled_changes: ForecastAmount;
  /**  */
  ends_of_trials: ForecastAmount;
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
}

export interface Image {
  /** Image identifier. */
  id: string;
  /** Name of the uploaded file. */
  name: string;
  /** Description for people who cannot see the image. Empty for decoration; null when unset. */
  alt: string | null;
  /** Path of the largest variant on the site, which the text of a page uses to show the image. */
  src: string;
  /** Path of the smallest variant on the site. */
  thumbnail: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
  /** Size of all variants together. */
  bytes: number;
  /** Upload time, in UTC. */
  created_at: string;
  /** Name of the uploading user. */
  created_by: string;
}

export interface ImageAnswer {
  /**  */
  image: Image;
}

export interface ImageList {
  /** Newest first. */
  images: Image[];
  /** Whether there are older images. */
  has_more: boolean;
}

export interface ImportedPage {
  /** Page identifier. */
  id: string;
  /** Name of the page. */
  name: string;
  /** Sub-pages of the page. */
  children: ImportedPage[];
}

export interface ImportedSite {
  /** Number of pages that are not published: drafts, and pages that only some visitors could see. */
  unpublished: number;
  /** Number of former addresses that redirect. */
  redirects: number;
  /** Number of images that were copied. */
  images_copied: number;
  /** Number of images that stay on the old site. */
  images_left: number;
  /** Notes in English about everything that could not be imported unchanged. */
  notes: string[];
}

export interface Key {
  /** Identifier of the key. */
  id: string;
  /** Identifier of the account in which the key works. */
  account_id: string;
  /** Purpose of the key. */
  name: string;
  /** Last four characters of the key. */
  last4: string;
  /** Name of the user in whose name the key acts. */
  user: string;
  /** Scopes of the key; null if the key is not limited to scopes. */
  scopes: ('pages:read' | 'pages:write' | 'images:read' | 'images:write' | 'customers:read' | 'customers:write' | 'plans:read' | 'plans:write' | 'revenue:read' | 'domains:read' | 'domains:write' | 'users:read' | 'users:write' | 'settings:read' | 'settings:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'keys:read' | 'keys:write')[] | null;
  /** When the key was issued. */
  created_at: string;
  /** The key that a program used to issue this key; null if a person issued it. */
  issued_by: string | null;
  /** When the key expires; null if it does not expire. */
  expires_at: string | null;
  /** When the key was revoked; null if it was not revoked. */
  revoked_at: string | null;
  /** When the key was last used, accurate to a minute; null if it was never used. */
  last_used_at: string | null;
}

export interface KeyList {
  /** Newest first. */
  keys: Key[];
  /** `before` for the next part; null for the last part. */
  next: string | null;
}

export interface Page {
  /** Page identifier. */
  id: string;
  /** Name of the page. */
  name: string;
  /** URL-safe form of the name. */
  urlname: string;
  /** Page content, byte for byte as it was sent. */
  body: string;
  /** Creation time, in UTC. */
  created_at: string;
  /** Name of the creating user. */
  created_by: string;
  /** Last update time, in UTC. */
  updated_at: string;
  /** Name of the last updating user. */
  updated_by: string;
  /** Id of the parent page; `0` for a root-level page. */
  parent_id: string;
  /** Position among siblings, starting at 1. */
  position: string;
  /** Path of the page on the site, with its ancestors' urlnames. */
  url: string;
  /** Whether the page is hidden from navigation. Hidden pages are listed too. */
  is_hidden: boolean;
  /** Page excerpt; null when unset. */
  description: string | null;
  /** Editor format; empty for some imported and older pages. */
  body_format: 'markdown_format' | 'wysiwyg_format' | '';
  /** A date of the page, in UTC; it starts as the creation time. */
  custom_date: string;
  /** Sub-pages, each with the same fields; empty when there are none. At most 30 levels deep. */
  children: Page[];
}

export interface PageAnswer {
  /**  */
  page: SinglePage;
}

export interface PageList {
  /** The root-level pages, in the order of their positions. */
  pages: Page[];
}

export interface PageSelection {
  /** The root-level pages, in the order of their positions. */
  pages: SelectedPage[];
}

export interface PageToImport {
  /** Name of the page, unique within the account. */
  name: string;
  /** The page's segment of the URL. By default, it is made from the name. */
  urlname?: string;
  /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
  body?: string;
  /** Whether the page is hidden from navigation. */
  is_hidden?: boolean;
  /** Page excerpt, used as meta-data. */
  description?: string | null;
  /** Format used to edit the page. By default, the editor chosen in the account settings. */
  body_format?: 'markdown_format' | 'wysiwyg_format' | '';
  /** A date of the page. By default, the time of the import. */
  custom_date?: string;
  /** Whether visitors see the page; true by default. */
  is_published?: boolean;
  /** Sub-pages, each with the same fields. */
  children?: PageToImport[];
}

export interface Plan {
  /** Plan identifier. */
  id: string;
  /** Name of the plan. */
  name: string;
  /** Description for the users of your account; may be empty. */
  description: string;
  /** Price per interval. A decimal number. */
  price: string;
  /** How often the price is due. */
  interval: 'month' | 'quarter' | 'year';
  /** Length of the free trial, in days. */
  trial_days: number;
  /** Whether new customers get this plan. */
  is_default: boolean;
  /** Whether no more customers can get this plan. */
  is_retired: boolean;
  /** Number of active customers on the plan. */
  customers_count: number;
  /**  */
  limits: {
  /** Limit of the plan; null if there is no limit. Storage is in bytes. */
  pages: number | null;
  /** Limit of the plan; null if there is no limit. Storage is in bytes. */
  people: number | null;
  /** Limit of the plan; null if there is no limit. Storage is in bytes. */
  storage: number | null;
  /** Limit of the plan; null if there is no limit. Storage is in bytes. */
  domains: number | null;
};
}

export interface PlanAnswer {
  /**  */
  plan: Plan;
}

export interface PlanList {
  /** In the order of the admin app. */
  plans: Plan[];
  /** ISO 4217 code of the currency of all prices; null if none is chosen yet. */
  currency: string | null;
}

export interface PlanRevenue {
  /** Plan identifier. */
  plan_id: string;
  /** Present name of the plan. */
  name: string;
  /**  */
  start: RevenueTotals;
  /**  */
  end: RevenueTotals;
}

export interface PlanRevenueList {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** In the order of the list of plans. */
  plans: PlanRevenue[];
}

export interface PriceChange {
  /** Identifier of the change. */
  id: string;
  /** Identifier of the plan whose customers move. */
  plan_id: string;
  /** Identifier of the plan at the new price. */
  new_plan_id: string;
  /** Day on which the customers move. */
  from: string;
  /** Number of customers who will move. */
  customers_count: number;
}

export interface PriceChangeList {
  /** Earliest first. */
  price_changes: PriceChange[];
}

export interface PricePreview {
  /** Number of customers who would move. */
  customers_count: number;
  /** Number of these customers who are not suspended. */
  active_customers_count: number;
  /** Number of customers on the plan who have another scheduled change and would not move. */
  other_changes_count: number;
  /** Monthly revenue from the customers who would move, at the present price. A decimal number. */
  monthly_revenue: string;
  /** Their monthly revenue at the new price. A decimal number. */
  new_monthly_revenue: string;
}

export interface Redirect {
  /** Identifier of the redirect. */
  id: string;
  /** The path on the site. */
  path: string;
  /** Page identifier. */
  page_id: string;
  /** Current path of the page; null if the page is in the trash. */
  url: string | null;
}

export interface RedirectList {
  /** Sorted by page. */
  redirects: Redirect[];
  /** `after` for the next part; null for the last part. */
  next: string | null;
}

export interface Revenue {
  /** The time zone of the days. */
  time_zone: string;
  /** ISO 4217 code of the currency of all prices; null if none is chosen yet. */
  currency: string | null;
  /** The length of the periods. */
  step: 'month' | 'quarter' | 'year';
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /**  */
  start: RevenueTotals;
  /**  */
  end: RevenueTotals;
  /**  */
  movements: RevenueMovements;
  /**  */
  rates: RevenueRates;
  /** The months, quarters or years of the range. The first and the last may be partial. */
  periods: RevenuePeriod[];
}

export interface RevenueCustomer {
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Present name of the customer. */
  name: string;
  /** Whether the customer was deleted for good since. */
  is_deleted: boolean;
  /** When the customer reached this state, or when the movement happened. */
  at: string;
  /** The plan, with its name at that time; null once the customer is suspended or deleted. */
  plan_name: string | null;
  /** Price of the plan at that time. */
  plan_price: string | null;
  /** How often that price is due. */
  plan_interval: 'month' | 'quarter' | 'year' | null;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** Change of the annual amount at that time. A decimal number, which may be negative. */
  annual_change: string;
}

export interface RevenueCustomerList {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** For `came` and `stayed`: the day at the end of which the customers are listed. */
  as_of: string;
  /**  */
  total: RevenueMovement;
  /** In the order in which the customers joined or moved. */
  customers: RevenueCustomer[];
  /** `after` for the next part; null for the last part. */
  next: string | null;
}

export interface RevenueMovement {
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** Number of movements of this kind. */
  count: number;
}

export interface RevenueMovements {
  /**  */
  new: RevenueMovement;
  /**  */
  expansion: RevenueMovement;
  /**  */
  contraction: RevenueMovement;
  /**  */
  churn: RevenueMovement;
  /**  */
  reactivation: RevenueMovement;
}

export interface RevenuePeriod {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /**  */
  start: RevenueTotals;
  /**  */
  end: RevenueTotals;
  /**  */
  movements: RevenueMovements;
  /**  */
  rates: RevenueRates;
}

export interface RevenueRates {
  /** The share of the paying customers who stopped paying. 0.05 is 5 %; null if nobody paid at the beginning. */
  customer_churn: number | null;
  /** The share of the revenue that was lost. 0.05 is 5 %; null if nobody paid at the beginning. */
  revenue_churn: number | null;
  /** The share of the revenue that stayed, without expansion. 0.05 is 5 %; null if nobody paid at the beginning. */
  gross_retention: number | null;
  /** The share of the revenue that stayed, with expansion. 0.05 is 5 %; null if nobody paid at the beginning. */
  net_retention: number | null;
}

export interface RevenueTotals {
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** Number of active customers whose plan has a price. */
  paying_customers_count: number;
  /** Number of active customers whose plan is free, or who are in their trial. */
  free_customers_count: number;
}

export interface Revision {
  /** Identifier of the revision. */
  id: string;
  /** Name of the page at that time. */
  name: string;
  /** When the page got these contents, in UTC. */
  published_at: string;
  /** Name of the user who wrote them. */
  published_by: string;
}

export interface RevisionAnswer {
  /**  */
  revision: WholeRevision;
}

export interface RevisionList {
  /** Newest first. */
  revisions: Revision[];
  /** `before` for the next part; null for the last part. */
  next: string | null;
}

export interface ScheduledChange {
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Name of the customer. */
  customer_name: string;
  /** Subdomain of the customer's site. */
  customer_subdomain: string;
  /** Day at the start of which the plan changes. */
  on: string;
  /** Plan identifier. */
  plan_id: string;
  /** Name of the new plan. */
  plan_name: string;
  /** Price of the new plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** Why the change could not be made on its day; null if it is still scheduled. */
  failure: null | 'customer_deleted' | 'customer_suspended' | 'plan_retired' | 'over_limits';
}

export interface ScheduledChangeList {
  /** Earliest first. */
  scheduled_changes: ScheduledChange[];
  /** `after` for the next part; null for the last part. */
  next: string | null;
}

export interface SelectedPage {
  /** Page identifier. */
  id?: string;
  /** Name of the page. */
  name?: string;
  /** URL-safe form of the name. */
  urlname?: string;
  /** Page content, byte for byte as it was sent. */
  body?: string;
  /** Creation time, in UTC. */
  created_at?: string;
  /** Name of the creating user. */
  created_by?: string;
  /** Last update time, in UTC. */
  updated_at?: string;
  /** Name of the last updating user. */
  updated_by?: string;
  /** Id of the parent page; `0` for a root-level page. */
  parent_id?: string;
  /** Position among siblings, starting at 1. */
  position?: string;
  /** Path of the page on the site, with its ancestors' urlnames. */
  url?: string;
  /** Whether the page is hidden from navigation. Hidden pages are listed too. */
  is_hidden?: boolean;
  /** Page excerpt; null when unset. */
  description?: string | null;
  /** Editor format; empty for some imported and older pages. */
  body_format?: 'markdown_format' | 'wysiwyg_format' | '';
  /** A date of the page, in UTC; it starts as the creation time. */
  custom_date?: string;
  /** Sub-pages, each with the same fields. Absent if `depth` leaves them out, and in changes. */
  children?: SelectedPage[];
}

export interface Settings {
  /** Name of the account. */
  name: string;
  /** Subdomain of the account's site. */
  subdomain: string;
  /** Language of the site's built-in texts. */
  language: string;
  /** Time zone. */
  time_zone: string;
  /** Format of new pages. */
  editor: string;
  /** Theme of the site. */
  theme: string;
  /** Colour of the site. */
  accent: string;
  /** Page to which a second button on the home page leads; null if there is no button. */
  second_button: string | null;
}

export interface SettingsAnswer {
  /**  */
  settings: Settings;
}

export interface SinglePage {
  /** Page identifier. */
  id: string;
  /** Name of the page. */
  name: string;
  /** URL-safe form of the name. */
  urlname: string;
  /** Page content, byte for byte as it was sent. */
  body: string;
  /** Creation time, in UTC. */
  created_at: string;
  /** Name of the creating user. */
  created_by: string;
  /** Last update time, in UTC. */
  updated_at: string;
  /** Name of the last updating user. */
  updated_by: string;
  /** Id of the parent page; `0` for a root-level page. */
  parent_id: string;
  /** Position among siblings, starting at 1. */
  position: string;
  /** Path of the page on the site, with its ancestors' urlnames. */
  url: string;
  /** Whether the page is hidden from navigation. Hidden pages are listed too. */
  is_hidden: boolean;
  /** Page excerpt; null when unset. */
  description: string | null;
  /** Editor format; empty for some imported and older pages. */
  body_format: 'markdown_format' | 'wysiwyg_format' | '';
  /** A date of the page, in UTC; it starts as the creation time. */
  custom_date: string;
  /** Whether visitors see the page. */
  is_published: boolean;
}

export interface User {
  /** Identifier of the user. */
  id: string;
  /** Name of the user. */
  name: string;
  /** E-mail address of the user. */
  email: string;
  /** Role of the user. */
  role: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  /** Whether the user has chosen a password. */
  has_password: boolean;
  /** When the user was added. */
  created_at: string;
  /** When the user last used the admin app, accurate to a minute; null if never. */
  last_seen_at: string | null;
}

export interface UserList {
  /** Oldest first. */
  users: User[];
}

export interface Webhook {
  /** Identifier of the webhook. */
  id: string;
  /** The address to which events are sent. */
  url: string;
  /** Kinds of events that are sent: the first part of their types; null for all events. */
  kinds: ('page' | 'media' | 'customer' | 'plan' | 'user' | 'domain' | 'mail' | 'settings')[] | null;
  /** `failing`: an event is being retried, and later events wait. `paused`: nothing is sent any more. */
  state: 'active' | 'failing' | 'paused';
  /** When the webhook was added. */
  created_at: string;
  /** Time of the first failed attempt since the last success; null if there is none. */
  failing_since: string | null;
  /** When the webhook was paused because it had failed for too long; null if it is not paused. */
  paused_at: string | null;
  /** When the next waiting event is retried; null if none is waiting. */
  next_attempt_at: string | null;
}

export interface WebhookAnswer {
  /**  */
  webhook: Webhook;
}

export interface WebhookList {
  /** Oldest first. */
  webhooks: Webhook[];
}

export interface WholeRevision {
  /** Identifier of the revision. */
  id: string;
  /** Name of the page at that time. */
  name: string;
  /** When the page got these contents, in UTC. */
  published_at: string;
  /** Name of the user who wrote them. */
  published_by: string;
  /** Page identifier. */
  page_id: string;
  /** URL-safe form of the name. */
  urlname: string;
  /** Page content, byte for byte as it was sent. */
  body: string;
  /** Page excerpt; null when unset. */
  description: string | null;
  /** Editor format; empty for some imported and older pages. */
  body_format: 'markdown_format' | 'wysiwyg_format' | '';
}

export const routes: Readonly<Record<keyof Operations, Route>> = {
  createCustomer: { method: 'POST', path: '/api/customers.json', object: 'customer', hasId: true },
  listCustomers: { method: 'GET', path: '/api/customers.json' },
  getCustomer: { method: 'GET', path: '/api/customers/{id}.json' },
  changeCustomer: { method: 'PATCH', path: '/api/customers/{id}.json', object: 'customer' },
  deleteCustomer: { method: 'DELETE', path: '/api/customers/{id}.json' },
  restoreCustomer: { method: 'POST', path: '/api/customers/{id}/restore.json' },
  resendInstructions: { method: 'POST', path: '/api/customers/{id}/instructions.json', object: 'customer' },
  listScheduledChanges: { method: 'GET', path: '/api/scheduled-changes.json' },
  createPlan: { method: 'POST', path: '/api/plans.json', object: 'plan' },
  listPlans: { method: 'GET', path: '/api/plans.json' },
  getPlan: { method: 'GET', path: '/api/plans/{id}.json' },
  changePlan: { method: 'PATCH', path: '/api/plans/{id}.json', object: 'plan' },
  previewPrice: { method: 'GET', path: '/api/plans/{id}/price.json' },
  changePrice: { method: 'POST', path: '/api/plans/{id}/price.json', object: 'plan' },
  listPriceChanges: { method: 'GET', path: '/api/price-changes.json' },
  undoPriceChange: { method: 'DELETE', path: '/api/price-changes/{id}.json' },
  changeCurrency: { method: 'PATCH', path: '/api/plans.json', object: 'plans' },
  createPage: { method: 'POST', path: '/api/pages.json', object: 'page', hasId: true },
  listPages: { method: 'GET', path: '/api/pages.json' },
  getPage: { method: 'GET', path: '/api/pages/{id}.json' },
  changePage: { method: 'PATCH', path: '/api/pages/{id}.json', object: 'page' },
  deletePage: { method: 'DELETE', path: '/api/pages/{id}.json' },
  restorePage: { method: 'POST', path: '/api/pages/{id}/restore.json' },
  undoPageChange: { method: 'POST', path: '/api/pages/{id}/undo.json' },
  importPages: { method: 'POST', path: '/api/pages/import.json', object: 'import', document: ['pages'] },
  changeDraft: { method: 'PATCH', path: '/api/pages/{id}/draft.json', object: 'page' },
  getDraft: { method: 'GET', path: '/api/pages/{id}/draft.json' },
  discardDraft: { method: 'DELETE', path: '/api/pages/{id}/draft.json' },
  publishPage: { method: 'POST', path: '/api/pages/{id}/publish.json' },
  listRevisions: { method: 'GET', path: '/api/pages/{id}/revisions.json' },
  getRevision: { method: 'GET', path: '/api/revisions/{id}.json' },
  restoreRevision: { method: 'POST', path: '/api/revisions/{id}/restore.json' },
  addRedirect: { method: 'POST', path: '/api/redirects.json', object: 'redirect', hasId: true },
  listRedirects: { method: 'GET', path: '/api/redirects.json' },
  removeRedirect: { method: 'DELETE', path: '/api/redirects/{id}.json' },
  uploadImage: { method: 'POST', path: '/api/images.json', object: 'image', isUpload: true },
  listImages: { method: 'GET', path: '/api/images.json' },
  getImage: { method: 'GET', path: '/api/images/{id}.json' },
  changeImage: { method: 'PATCH', path: '/api/images/{id}.json', object: 'image' },
  deleteImage: { method: 'DELETE', path: '/api/images/{id}.json' },
  restoreImage: { method: 'POST', path: '/api/images/{id}/restore.json' },
  addDomain: { method: 'POST', path: '/api/domains.json', object: 'domain' },
  listDomains: { method: 'GET', path: '/api/domains.json' },
  getDomain: { method: 'GET', path: '/api/domains/{id}.json' },
  verifyDomain: { method: 'POST', path: '/api/domains/{id}/verify.json', object: 'domain' },
  removeDomain: { method: 'DELETE', path: '/api/domains/{id}.json' },
  restoreDomain: { method: 'POST', path: '/api/domains/{id}/restore.json' },
  inviteUser: { method: 'POST', path: '/api/users.json', object: 'user' },
  listUsers: { method: 'GET', path: '/api/users.json' },
  inviteUserAgain: { method: 'POST', path: '/api/users/{id}/invite.json' },
  changeUser: { method: 'PATCH', path: '/api/users/{id}.json', object: 'user' },
  removeUser: { method: 'DELETE', path: '/api/users/{id}.json' },
  restoreUser: { method: 'POST', path: '/api/users/{id}/restore.json' },
  changeSettings: { method: 'PATCH', path: '/api/settings.json', object: 'settings' },
  getSettings: { method: 'GET', path: '/api/settings.json' },
  listEvents: { method: 'GET', path: '/api/events.json' },
  addWebhook: { method: 'POST', path: '/api/webhooks.json', object: 'webhook' },
  listWebhooks: { method: 'GET', path: '/api/webhooks.json' },
  getWebhook: { method: 'GET', path: '/api/webhooks/{id}.json' },
  changeWebhook: { method: 'PATCH', path: '/api/webhooks/{id}.json', object: 'webhook' },
  testWebhook: { method: 'POST', path: '/api/webhooks/{id}/test.json' },
  listDeliveries: { method: 'GET', path: '/api/webhooks/{id}/deliveries.json' },
  resumeWebhook: { method: 'POST', path: '/api/webhooks/{id}/resume.json' },
  replayEvent: { method: 'POST', path: '/api/webhooks/{id}/replay.json', object: 'webhook' },
  resendEvents: { method: 'POST', path: '/api/webhooks/{id}/resend.json', object: 'webhook' },
  rotateWebhookSecret: { method: 'POST', path: '/api/webhooks/{id}/rotate.json' },
  removeWebhook: { method: 'DELETE', path: '/api/webhooks/{id}.json' },
  restoreWebhook: { method: 'POST', path: '/api/webhooks/{id}/restore.json' },
  issueKey: { method: 'POST', path: '/api/keys.json', object: 'key' },
  listKeys: { method: 'GET', path: '/api/keys.json' },
  rotateKey: { method: 'POST', path: '/api/keys/{id}/rotate.json', object: 'key' },
  revokeKey: { method: 'DELETE', path: '/api/keys/{id}.json', object: 'key' },
  getRevenue: { method: 'GET', path: '/api/revenue.json' },
  exportRevenue: { method: 'GET', path: '/api/revenue.csv', isText: true },
  listPlanRevenue: { method: 'GET', path: '/api/revenue/plans.json' },
  listCohorts: { method: 'GET', path: '/api/revenue/cohorts.json' },
  listRevenueCustomers: { method: 'GET', path: '/api/revenue/customers.json' },
  exportRevenueCustomers: { method: 'GET', path: '/api/revenue/customers.csv', isText: true },
  getForecast: { method: 'GET', path: '/api/revenue/forecast.json' },
  listForecastChanges: { method: 'GET', path: '/api/revenue/forecast/changes.json' },
  exportForecast: { method: 'GET', path: '/api/revenue/forecast.csv', isText: true },
  getAccount: { method: 'GET', path: '/api/account.json' },
};
