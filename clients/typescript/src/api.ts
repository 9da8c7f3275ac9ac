// Made by generate.ts from the tables of the service. Do not edit.

import type { CallOptions, Route } from './route.ts';

/** What the service can do. Each method is one operation of its API. */
export interface Operations {
  /** Creates a customer account under the key owner's account, with its admin user and, unless told otherwise, default pages. The new user is mailed login instructions. All of it happens, or none. */
  createCustomer(input: {
    /** Name of the account. */
    account_name: string;
    /** Subdomain for the account: letters, digits and hyphens, no hyphen first or last. Case does not matter. One that is in use makes the creation fail. */
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
  /** Id of the customer's account. */
  id: string;
}>;
  /** The customers of the account, newest first, in parts. A part may be short, or empty, although there are more: `next` alone tells the end of the list. */
  listCustomers(input?: {
    /** Finds 50 at most, by name: those whose name or subdomain begins with this, or which have a person with this mail address, or this domain. */
    q?: string | number;
    /** Only customers in this state. */
    state?: 'active' | 'suspended';
    /** Only customers on this plan. */
    plan_id?: string | number;
    /** The order; `newest` if it is not given. */
    sort?: 'newest' | 'oldest' | 'name';
    /** How many at most, up to 500; 50 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    after?: string | number;
  }, options?: CallOptions): Promise<CustomerList>;
  /** One customer, with its people and what it uses of its plan. */
  getCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<CustomerAnswer>;
  /** Changes the name or subdomain of the customer, puts it on another plan, now or on a day, and suspends it or ends its suspension. All that is sent is done, or nothing. */
  changeCustomer(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of its account. */
    name?: string;
    /** Subdomain of its site, which is then at another address. The former one leads nowhere, and is kept from others for 90 days. */
    subdomain?: string;
    /** Id of the plan that it gets, at once or on the day `plan_on`. */
    plan_id?: string | number;
    /** A later day in the time zone of your account, at whose beginning it gets the plan. Blank, without a plan: cancels the change that is scheduled. */
    plan_on?: string;
    /** Suspends the customer, or ends its suspension. */
    state?: 'active' | 'suspended';
    /** Why it is suspended, as its people read it when they sign in. */
    suspension_reason?: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the customer offline at once, and deletes it for good after 30 days. Until then it can be restored, and keeps its subdomain. */
  deleteCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes the deletion: the customer is as it was before. */
  restoreCustomer(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Mails the login instructions to the first user of the customer once more, with a new link. All links before are void. */
  resendInstructions(input: {
    /** Which one, by its id. */
    id: string;
    /** The address in place of one that was wrong, until its owner has signed in. */
    user_email?: string;
  }, options?: CallOptions): Promise<void>;
  /** The changes of plans of customers that wait for their day, and those that could not be made on it, by day, in parts. To schedule or cancel one, change the customer. */
  listScheduledChanges(input?: {
    /** How many at most, up to 500; 100 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    after?: string | number;
  }, options?: CallOptions): Promise<ScheduledChangeList>;
  /** Adds a plan to those that the account sells. */
  createPlan(input: {
    /** Name of the plan, unique within the account. */
    name: string;
    /** Price for an interval. It stays as it is: another price is another plan. */
    price: string | number;
    /** How often the price is due. It stays as it is. */
    interval: 'month' | 'quarter' | 'year';
    /** Whether new customers get it from now on. */
    is_default?: string | number | boolean;
    /** Description of the plan, for the people of your account. */
    description?: string;
    /** How many days cost nothing on a customer's first plan with a price. */
    trial_days?: string | number;
    /** How many pages a customer may have. Blank: there is no limit. */
    pages?: string | number;
    /** How many people may have access, with those invited. Blank: there is no limit. */
    people?: string | number;
    /** How many megabytes of images. Blank: there is no limit. */
    storage_mb?: string | number;
    /** How many own domains. Blank: there is no limit. */
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
  /** Changes all of a plan but its price and interval. Fields that are not sent stay as they are. All that is sent is done, or nothing. Customers who have more than a new limit keep it, and get no more. */
  changePlan(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the plan, unique within the account. */
    name?: string;
    /** Description of the plan, for the people of your account. */
    description?: string;
    /** How many days cost nothing on a customer's first plan with a price. */
    trial_days?: string | number;
    /** How many pages a customer may have. Blank: there is no limit. */
    pages?: string | number;
    /** How many people may have access, with those invited. Blank: there is no limit. */
    people?: string | number;
    /** How many megabytes of images. Blank: there is no limit. */
    storage_mb?: string | number;
    /** How many own domains. Blank: there is no limit. */
    domains?: string | number;
    /** Its place in the list of plans, starting at 1. A place beyond the end is the last. */
    position?: string | number;
    /** True puts new customers on it. To take this from a plan, give it to another. */
    is_default?: string | number | boolean;
    /** True takes it out of use: its customers stay on it, and no more can get it. False offers it again. */
    is_retired?: string | number | boolean;
  }, options?: CallOptions): Promise<{
  /**  */
  plan: Plan;
}>;
  /** Calculates the effect of another price if the customers on the plan paid it. Nothing is changed. */
  previewPrice(input: {
    /** Which one, by its id. */
    id: string;
    /** The new price for an interval; the present one if it is not given. */
    price?: string | number;
  }, options?: CallOptions): Promise<PricePreview>;
  /** Sells the plan at another price: a new plan with the same limits takes its place, and the old one is retired. With a day, its customers move then, except those with another scheduled change. It can be taken back until that day, or for 10 minutes without one. */
  changePrice(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the plan at the new price, unique within the account. */
    name: string;
    /** The new price for an interval. */
    price: string | number;
    /** A later day in the time zone of your account, from which the customers on the plan pay the new price, too. Blank: they keep the old one. */
    from?: string;
  }, options?: CallOptions): Promise<{
  /** Identifier of the change. */
  id: string;
  /**  */
  plan: Plan;
  /** How many customers it moves. */
  customers_count: number;
}>;
  /** The changes of prices that wait for their day, the next first. */
  listPriceChanges(input?: object, options?: CallOptions): Promise<PriceChangeList>;
  /** Offers the old plan again, whose customers stay on it. The new plan is deleted if nobody has been on it, or else retired. */
  undoPriceChange(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Says in which currency the prices of all plans are. Amounts are never converted: once somebody is on a plan with a price, the currency stays as it is. */
  changeCurrency(input: {
    /** Its code of ISO 4217. */
    currency: string;
  }, options?: CallOptions): Promise<{
  /** The currency, by its code of ISO 4217. */
  currency: string;
}>;
  /** Creates a page on the key owner's account, last among its siblings. The answer has its id if you send `Prefer: return=representation`. */
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
  /** Id of the page. */
  id: string;
}>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input: {
    /** The fields that each page has in the answer, with commas between them; `children` is always there. All if it is not given. */
    fields?: string | number;
    /** A version of the list, from its header `Pages-Version` or from `version` of the changes before. The answer is what has changed since. */
    since: string | number;
  }, options?: CallOptions): Promise<ChangedPages>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input: {
    /** The fields that each page has in the answer, with commas between them; `children` is always there. All if it is not given. */
    fields?: string | number;
    /** How many levels are listed, from 1 to 30. Pages of the last one whose sub-pages are left out have no `children`. */
    depth?: string | number;
  }, options?: CallOptions): Promise<PageSelection>;
  /** The whole page tree of the key owner's account: the root-level pages, each with its descendants nested in `children`. */
  listPages(input?: undefined, options?: CallOptions): Promise<PageList>;
  /** One page with the fields that the list has of it, without its sub-pages, and whether it is published. */
  getPage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<PageAnswer>;
  /** Changes the fields that are sent, and moves the page if its parent or position is. Former contents are kept as a revision, and former URLs redirect. With `If-Match`, a page that has changed since is left as it is. */
  changePage(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the page, unique within the account. */
    name?: string | number;
    /** The page's part of its URL. Blank makes it of the name. Former URLs redirect. */
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
    /** Id of the page below which it moves, with its sub-pages; blank or `0` for the root. */
    parent_id?: string | number;
    /** Position among its siblings, starting at 1. Under another parent, the last if not given. */
    position?: string | number;
    /** A date of the page: ISO 8601 with a time zone, or as the list has it. */
    custom_date?: string;
  }, options?: CallOptions): Promise<void>;
  /** Moves the page with all of its sub-pages to the trash, where it can be restored for 30 days. */
  deletePage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the page out of the trash, with the sub-pages that were deleted with it, to its former place or as near as possible. Names and URLs that others have by now get a number. */
  restorePage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes the last change of the page of the last 30 days, no matter who made it: of its contents, of its place, of whether visitors see it, or its deletion. Sent again, it undoes the change before. With `If-Match`, a page that has changed since is left as it is. */
  undoPageChange(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Creates all pages of a tree, or none: the first ones last among their siblings. The tree has the form in which the list answers, so the list of one account can be imported into another. Ids, URLs, positions, and by whom and when pages were made, are passed over: they are new. At most 20,000 pages. */
  importPages(input: {
    /** The pages, as the list of pages has them. */
    pages: PageToImport[];
    /** Id of the page below which the tree comes. Blank means the root. */
    parent_id?: string | number;
    /** The name of the page below which the posts of a site come. Not given: “Blog”. */
    posts?: string;
    /** The address of the old site, for an export of Ghost, which does not have it. */
    site_url?: string;
    /** When true, the images of a site are copied from the old site, for up to 8 minutes. */
    images?: string | boolean;
    /** When true, the tree is checked and nothing is created. */
    dry_run?: string | boolean;
  }, options?: CallOptions): Promise<{
  /** How many pages the tree has. */
  count: number;
  /** The new pages, in the places that they have in the document. Empty for a dry run. */
  pages: ImportedPage[];
  /** Only for the site of another system. */
  site?: ImportedSite;
}>;
  /** Keeps the fields that are sent in a draft of the key's user, and begins one if there is none. Visitors see nothing of it before it is published, and the admin app shows it to the user. */
  changeDraft(input: {
    /** Which one, by its id. */
    id: string;
    /** Name of the page, unique within the account. */
    name?: string | number;
    /** The page's part of its URL. Blank makes it of the name. Former URLs redirect. */
    urlname?: string | number;
    /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
    body?: string | number;
    /** Format used to edit the page. */
    body_format?: 'markdown_format' | 'wysiwyg_format';
    /** Excerpt of the page. Blank removes it. */
    description?: string | number;
    /** When true, the page is hidden from navigation. Takes true/false, 1/0, yes/no, on/off and t/f. */
    is_hidden?: string | number | boolean;
    /** A date of the page: ISO 8601 with a time zone, or as the list has it. */
    custom_date?: string;
  }, options?: CallOptions): Promise<void>;
  /** The draft that the key's user has of the page: what visitors will see once it is published. Fields that the draft leaves alone are those of the page. */
  getDraft(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<DraftAnswer>;
  /** Deletes the draft of the key's user. The page stays as visitors see it. */
  discardDraft(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Gives the page the contents of the draft of the key's user, and shows it to visitors. A page that is not published needs no draft. If the page has changed since the draft was begun, nothing is published, unless `If-Match` is the `ETag` of the page as it is now. */
  publishPage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** The earlier contents of a page, newest first, in parts. Those of 90 days are kept, and the latest 200 in any case. */
  listRevisions(input: {
    /** Which one, by its id. */
    id: string;
    /** How many at most, up to 200; 50 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    before?: string | number;
  }, options?: CallOptions): Promise<RevisionList>;
  /** Earlier contents of a page. */
  getRevision(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<RevisionAnswer>;
  /** Gives the page the contents of the revision again: text, format, description, and the name if no other page has it by now. What it has now becomes a revision, too. */
  restoreRevision(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Lets a path of the site lead to a page, wherever this moves, by a permanent redirect. A page that stands at the path comes first, unless the path has a query. `former_page_id` names the page to which it led until now. */
  addRedirect(input: {
    /** The path on the site, with its query if the former website had pages that only the query told apart, such as `/index.php?page=3`. Letters of all scripts may be percent-encoded. */
    path: string;
    /** Id of the page to which it leads, wherever this moves. */
    page_id: string | number;
  }, options?: CallOptions): Promise<{
  /** Id of the other page to which the path led until now; null if it led to none. */
  former_page_id: string | null;
  /** Id of the redirect. */
  id: string;
}>;
  /** The paths that lead to pages: former URLs of pages that were moved, renamed or deleted, and those that were added. By their pages, in parts. */
  listRedirects(input?: {
    /** Only those that lead to this page. */
    page_id?: string | number;
    /** How many at most, up to 500; 100 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    after?: string | number;
  }, options?: CallOptions): Promise<RedirectList>;
  /** The path leads nowhere from now on, or to another page that it led to before. */
  removeRedirect(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Stores an image for the pages of the account: JPEG, PNG, WebP, AVIF or GIF. It is turned upright, scaled to the sizes that screens need, and loses what the camera noted, such as the place. The text of a page shows it with `<img src="…" alt="…">` and its `src`. An image that the account has already is not stored again, and is answered as it is. Instead of a file, `url` may say where one is on the web. */
  uploadImage(input?: {
    /** The image. Or send `url`. */
    file?: Blob;
    /** Name of the file, if it is not in a form that has it. */
    name?: string;
    /** Description for people who cannot see the image. Blank for decoration. */
    alt?: string;
    /** Address of the image on the web, instead of a file. It must not lead into a private network. */
    url?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  image: Image;
}>;
  /** The images of the account, newest first, 50 at a time. Deleted images are not listed. */
  listImages(input?: {
    /** The last id of the images that you have: the next ones are listed. */
    before?: string | number;
  }, options?: CallOptions): Promise<ImageList>;
  /** What is known of one image. Its file is at `src` on the account's site. */
  getImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<ImageAnswer>;
  /** Sets the description that the image gets on pages into which it is inserted from now on. */
  changeImage(input: {
    /** Which one, by its id. */
    id: string;
    /** Description for people who cannot see the image. Blank for decoration. Pages keep the one they have. */
    alt: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the image off the site at once. It stays in the trash for 30 days, unless its room is needed earlier. */
  deleteImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Takes the image out of the trash: pages that name it show it again. */
  restoreImage(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Claims a domain for the site of the account. The answer says which DNS records to make. The service looks for them by itself, ever more rarely, and the site is at the domain once they are there. */
  addDomain(input: {
    /** The host name. */
    host: string;
  }, options?: CallOptions): Promise<{
  /**  */
  domain: Domain;
}>;
  /** All domains of the account's site, in the order in which they were added. */
  listDomains(input?: object, options?: CallOptions): Promise<DomainList>;
  /** One domain, with the DNS records to make and what is wrong with them. */
  getDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<DomainAnswer>;
  /** Asks the DNS for the records now. The answer has the domain as it is then: `verified_at` is null, and `problems` says why, if they were not found. */
  verifyDomain(input: {
    /** Which one, by its id. */
    id: string;
    /** Whether it is verified even if its visitors do not come here yet. */
    may_lead_elsewhere?: string | boolean | 1;
  }, options?: CallOptions): Promise<{
  /**  */
  domain: Domain;
}>;
  /** Takes the site from the domain at once. It can be restored for 10 minutes. */
  removeDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes: the domain is as it was before. */
  restoreDomain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Adds a person to the account, and mails them a link with which they choose a password. It works once, within seven days. */
  inviteUser(input: {
    /** Their name. */
    name: string;
    /** Their mail address, which the invitation goes to. */
    email: string;
    /** What they may do. */
    role: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  }, options?: CallOptions): Promise<{
  /** Identifier of the user. */
  id: string;
}>;
  /** The people of the account, the first one first. */
  listUsers(input?: object, options?: CallOptions): Promise<UserList>;
  /** Mails the invitation once more, with a new link. All links before are void. */
  inviteUserAgain(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Changes the name or the role of a user. With a role that may not issue keys, they lose theirs. */
  changeUser(input: {
    /** Which one, by its id. */
    id: string;
    /** Their name. */
    name?: string;
    /** What they may do. */
    role?: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  }, options?: CallOptions): Promise<void>;
  /** Signs a user out and takes them from the account, with their keys. They can be restored for 10 minutes. */
  removeUser(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes. The user signs in anew. */
  restoreUser(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Changes settings of the account and the look of its site. Fields that are not sent stay as they are. */
  changeSettings(input?: {
    /** Name of the account. */
    name?: string;
    /** Language of the site's own words, by its tag. */
    language?: string;
    /** Time zone, by its IANA name. */
    time_zone?: string;
    /** Format of new pages. */
    editor?: 'markdown_format' | 'wysiwyg_format';
    /** Theme of the site. */
    theme?: 'typographic' | 'business' | 'portfolio' | 'documentation';
    /** Colour of the site. */
    accent?: string;
    /** Page to which a second button on the home page leads. Blank: there is none. */
    second_button?: string;
  }, options?: CallOptions): Promise<void>;
  /** The settings of the account and the look of its site. */
  getSettings(input?: object, options?: CallOptions): Promise<SettingsAnswer>;
  /** What has been done in the account, in order, in parts: each change of pages, images, people, settings and customers is an event. Events are kept for 400 days. None appears before one that you have read, so that `next` leads to all that come later. */
  listEvents(input?: {
    /** Only events after this one: `next` of the part before. `latest` for those that are still to come. From the first one if it is not given. */
    after?: string | number;
    /** How many at most, up to 1000; 100 if it is not given. A part may be shorter, although more follow. */
    limit?: string | number;
  }, options?: CallOptions): Promise<EventList>;
  /** Sends the events of the account to the address from now on; the first one is that the webhook was added. The secret in the answer signs what is sent. */
  addWebhook(input: {
    /** The address. It uses HTTPS, and does not lead into a private network. */
    url: string;
    /** Kinds of the events that are sent, with which their types begin, separated by spaces: page, media, customer, plan, user, domain, mail, settings. Blank: all events. */
    kinds?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  webhook: Webhook;
  /** The secret, which no other answer has. Null if the request was sent before with the same `Idempotency-Key`: answers with secrets are not stored. */
  secret: string | null;
}>;
  /** All webhooks of the account, in the order in which they were added. The list has no secrets. */
  listWebhooks(input?: object, options?: CallOptions): Promise<WebhookList>;
  /** One webhook, and whether its events arrive. */
  getWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<WebhookAnswer>;
  /** Sends to another address, or other events, from now on. Fields that are not sent stay as they are, and so does the secret. What waits goes to the new address at once. */
  changeWebhook(input: {
    /** Which one, by its id. */
    id: string;
    /** The address. It uses HTTPS, and does not lead into a private network. */
    url?: string;
    /** Kinds of the events that are sent, with which their types begin, separated by spaces: page, media, customer, plan, user, domain, mail, settings. Blank: all events. */
    kinds?: string;
  }, options?: CallOptions): Promise<{
  /**  */
  webhook: Webhook;
}>;
  /** Sends a message of the type `webhook.test`, also while the webhook is paused, and answers with what came of it. An account has 60 tests an hour. */
  testWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<{
  /**  */
  attempt: Attempt;
}>;
  /** All attempts of the last 14 days to send something to the webhook, newest first, in parts: what was sent, and what was answered. */
  listDeliveries(input: {
    /** Which one, by its id. */
    id: string;
    /** How many at most, up to 500; 50 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    before?: string | number;
  }, options?: CallOptions): Promise<DeliveryList>;
  /** Tries again at once, and goes on where a paused webhook has stopped. */
  resumeWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Sends one event at once, also if its kind is not sent there or the webhook is paused, and answers with what came of it. What waits to be sent stays as it is. Counts as a test. */
  replayEvent(input: {
    /** Which one, by its id. */
    id: string;
    /** The event that is sent again. */
    event: string;
  }, options?: CallOptions): Promise<{
  /**  */
  attempt: Attempt;
}>;
  /** Sends all events from one on once more, of the kinds that the webhook is sent, in their order, and goes on if it was paused. */
  resendEvents(input: {
    /** Which one, by its id. */
    id: string;
    /** The first event that is sent again. */
    from: string;
  }, options?: CallOptions): Promise<void>;
  /** Gives the webhook another secret. For a day, events are signed with the former secret too, so that programs can change over. */
  rotateWebhookSecret(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<{
  /** The secret, which no other answer has. Null if the request was sent before with the same `Idempotency-Key`: answers with secrets are not stored. */
  secret: string | null;
}>;
  /** Sends nothing more to the address. The webhook can be restored for 10 minutes. */
  removeWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Undoes a removal of the last 10 minutes. The webhook is sent the events since then, with the secret that it had. */
  restoreWebhook(input: {
    /** Which one, by its id. */
    id: string;
  }, options?: CallOptions): Promise<void>;
  /** Issues an API key of your account, or of a customer's: your programs can work on the customer's pages with it. A customer's key is for its website alone: pages, images, domains and settings. Both accounts' logs have it. The customer sees it among its keys, and can revoke it; it does not work while the customer forbids its agency to sign in. */
  issueKey(input: {
    /** Purpose of the key. */
    name: string;
    /** Scopes to which it is limited, separated by spaces: pages:read, pages:write, images:read, images:write, customers:read, customers:write, plans:read, plans:write, revenue:read, domains:read, domains:write, users:read, users:write, settings:read, settings:write, events:read, webhooks:read, webhooks:write, keys:read, keys:write. Blank: all that the key of the request may do. */
    scopes?: string;
    /** When it ends: ISO 8601 with a time zone. Blank: as late as the key of the request, which it never outlives. */
    expires_at?: string;
    /** The customer in whose account it works. Blank: your account. */
    account_id?: string | number;
  }, options?: CallOptions): Promise<{
  /** Identifier of the key. */
  id: string;
  /** The key, which no other answer has. Null if the request was sent before with the same `Idempotency-Key`: the key is not stored. */
  key: string | null;
}>;
  /** The account's keys, and those of customers' accounts that were issued to it, newest first, in parts. The list has no key itself. */
  listKeys(input?: {
    /** How many at most, up to 500; 100 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    before?: string | number;
  }, options?: CallOptions): Promise<KeyList>;
  /** Issues a successor with the same name and scopes, which is valid for as long as the old key was issued for. The old key still works for a while, so that programs can change over. */
  rotateKey(input: {
    /** Which one, by its id. */
    id: string;
    /** How many hours the old key still works, up to 2160. 24 if it is not given. */
    overlap_hours?: string | number;
  }, options?: CallOptions): Promise<{
  /** Identifier of the key. */
  id: string;
  /** The key, which no other answer has. Null if the request was sent before with the same `Idempotency-Key`: the key is not stored. */
  key: string | null;
}>;
  /** Ends a key at once. A key that is revoked already stays so. */
  revokeKey(input: {
    /** Which one, by its id. */
    id: string;
    /** Whether all keys that were issued with it, or with one of those, end too: for a key that somebody else may have used. */
    with_issued?: string | boolean;
  }, options?: CallOptions): Promise<void>;
  /** Reports the recurring revenue of the customers' plans at both ends of a range of days and of each period in it, and the movements in between: new, expansion, contraction, churn and reactivation. Past figures never change. */
  getRevenue(input?: {
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` if it is not given. */
    step?: 'month' | 'quarter' | 'year';
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<Revenue>;
  /** The periods of the report as CSV, with the amounts of a year, for a spreadsheet. */
  exportRevenue(input?: {
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` if it is not given. */
    step?: 'month' | 'quarter' | 'year';
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<string>;
  /** Reports the recurring revenue of each plan that has ever had a customer, at both ends of a range of days. The plans sum to the revenue of the account. */
  listPlanRevenue(input?: {
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
  }, options?: CallOptions): Promise<PlanRevenueList>;
  /** How many of the customers who came in each period of a range are still active at its end, and what they pay then. */
  listCohorts(input?: {
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
    /** The length of the periods; `month` if it is not given. */
    step?: 'month' | 'quarter' | 'year';
  }, options?: CallOptions): Promise<CohortList>;
  /** The customers that a figure of the revenue counts, in parts. What they pay in a year, or the changes of it for a movement, sums to the figure exactly. */
  listRevenueCustomers(input?: {
    /** The figure: customers at the end of the last day (`paying`, `free`), movements in the days, or those who came in the days (`came`) and are active (`stayed`). `paying` if it is not given. */
    figure?: 'paying' | 'free' | 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation' | 'came' | 'stayed';
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
    /** For those who came in the days: the day at whose end they are listed; the last of the days if it is not given. */
    as_of?: string | number;
    /** Only the revenue of this plan. */
    plan_id?: string | number;
    /** How many at most, up to 500; 100 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
    after?: string | number;
  }, options?: CallOptions): Promise<RevenueCustomerList>;
  /** All customers that a figure of the revenue counts, as CSV. */
  exportRevenueCustomers(input?: {
    /** The figure: customers at the end of the last day (`paying`, `free`), movements in the days, or those who came in the days (`came`) and are active (`stayed`). `paying` if it is not given. */
    figure?: 'paying' | 'free' | 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation' | 'came' | 'stayed';
    /** The first day, in the account's time zone. If it is not given, a report has twelve months, eight quarters or five years. */
    from?: string | number;
    /** The last day; today if it is not given. At most ten years after the first. */
    to?: string | number;
    /** For those who came in the days: the day at whose end they are listed; the last of the days if it is not given. */
    as_of?: string | number;
    /** Only the revenue of this plan. */
    plan_id?: string | number;
  }, options?: CallOptions): Promise<string>;
  /** Forecasts the effect of scheduled changes of plans and of the ends of trials on the revenue, by month. Nothing is guessed: suspended customers, and changes that cannot be made, are left out. */
  getForecast(input?: object, options?: CallOptions): Promise<Forecast>;
  /** The scheduled changes and ends of trials behind the forecast, by day, in parts. They sum to its amounts. */
  listForecastChanges(input?: {
    /** Only changes in this month. */
    month?: string | number;
    /** How many at most, up to 500; 100 if it is not given. */
    limit?: string | number;
    /** `next` of the part before. */
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
  /** When it was sent. */
  sent_at: string;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** Why there was no answer; null if there was one. */
  error: string | null;
  /** The first 1,000 characters of the answer. */
  response: string;
}

export interface ChangedPages {
  /** The version of the list with these changes: `since` of the next request. */
  version: number;
  /** New, changed, moved and restored pages, in the order of their positions. */
  changed: SelectedPage[];
  /** Ids of pages that are gone. Some of them may have been created since. */
  deleted: string[];
}

export interface Cohort {
  /** The first day on which they came. */
  from: string;
  /** The last one. */
  to: string;
  /** How many customers came. */
  customers_count: number;
  /** How many of them are active at the end of the range. */
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
  /** In the order of their days. */
  cohorts: Cohort[];
}

export interface CustomerAccount {
  /** Identifier of the customer's account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Subdomain of its site. */
  subdomain: string;
  /** Public address of its site. */
  url: string;
  /** Whether it is suspended. */
  state: 'active' | 'suspended';
  /** Why it is suspended, as its people read it. */
  suspension_reason: string | null;
  /** Creation time. */
  created_at: string;
  /** Identifier of its plan. */
  plan_id: string;
  /** Name of its plan. */
  plan_name: string;
  /** Price of its plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** From when on it pays, while its trial is on. A day; null for none. */
  trial_ends_on: string | null;
  /** Identifier of the plan that it is to get; null for none. */
  scheduled_plan_id: string | null;
  /** When it is to get that plan. A day; null for none. */
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
  /** Subdomain of its site. */
  subdomain: string;
  /** Public address of its site. */
  url: string;
  /** Whether it is suspended. */
  state: 'active' | 'suspended';
  /** Why it is suspended, as its people read it. */
  suspension_reason: string | null;
  /** Creation time. */
  created_at: string;
  /** Identifier of its plan. */
  plan_id: string;
  /** Name of its plan. */
  plan_name: string;
  /** Price of its plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** From when on it pays, while its trial is on. A day; null for none. */
  trial_ends_on: string | null;
  /** Identifier of the plan that it is to get; null for none. */
  scheduled_plan_id: string | null;
  /** When it is to get that plan. A day; null for none. */
  scheduled_on: string | null;
  /** When it is deleted for good, in UTC. A day; null for none. */
  deletes_on: string | null;
  /** Its people, the first one first. */
  users: CustomerUser[];
  /**  */
  usage: {
  /**  */
  pages: {
  /** How much there is. */
  used: number;
  /** How much the plan allows; null for any. */
  limit: number | null;
};
  /**  */
  people: {
  /** How much there is. */
  used: number;
  /** How much the plan allows; null for any. */
  limit: number | null;
};
  /**  */
  storage: {
  /** How much there is. */
  used: number;
  /** How much the plan allows; null for any. */
  limit: number | null;
};
  /**  */
  domains: {
  /** How much there is. */
  used: number;
  /** How much the plan allows; null for any. */
  limit: number | null;
};
};
}

export interface CustomerList {
  /** In their order. */
  customers: CustomerAccount[];
  /** `after` of the next part; null for the last one, and with `q`. */
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
  /** Whether they have ever signed in. */
  has_signed_in: boolean;
}

export interface Delivery {
  /** Identifier of the delivery. */
  id: string;
  /** Identifier of the event; null for a test, which is none. */
  event_id: string | null;
  /** When it was sent. */
  sent_at: string;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** Why there was no answer; null if there was one. */
  error: string | null;
  /** The first 1,000 characters of the answer. */
  response: string;
  /** The event that was sent; null for a test, and for an event that is not kept any more. */
  request: Event | null;
}

export interface DeliveryList {
  /** Newest first. */
  deliveries: Delivery[];
  /** `before` of the next part; null for the last one. */
  next: string | null;
}

export interface DnsRecord {
  /** ALIAS stands for what some providers have at the top of a domain. */
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
  /** Its full name. */
  name: string;
  /** Its value. */
  value: string;
}

export interface Domain {
  /** Identifier of the domain. */
  id: string;
  /** Its host name, in ASCII. */
  host: string;
  /** Whether visitors of the site's other addresses are sent to it. */
  is_primary: boolean;
  /** Since when the site is at it; null while its proof is missing. */
  verified_at: string | null;
  /** When the DNS was asked last; null if it was not. */
  checked_at: string | null;
  /** What the last check found wrong, in sentences. */
  problems: string[];
  /** The DNS records that prove it and lead visitors to the site. */
  records: DnsRecord[];
}

export interface DomainAnswer {
  /**  */
  domain: Domain;
}

export interface DomainList {
  /** In their order. */
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
  /** When the draft was saved last, in UTC. */
  updated_at: string;
  /** Whether the page has changed since the draft was begun. */
  is_outdated: boolean;
}

export interface DraftAnswer {
  /**  */
  draft: Draft;
}

export interface Event {
  /** What was done, and to what kind of thing. */
  type: string;
  /** When, in ISO 8601. */
  timestamp: string;
  /**  */
  data: EventData;
}

export interface EventData {
  /** Identifier of the event. */
  id: string;
  /** Identifier of the account. */
  account_id: string;
  /** Identifier of what it was done to. */
  subject: string;
  /** Name of who did it. */
  actor: string;
  /** Names, and old and new values, for people to read. Which there are depends on the type. */
  details: Record<string, unknown>;
}

export interface EventList {
  /** In their order. */
  events: Event[];
  /** `after` of the next part, also where there is none yet. */
  next: string;
}

export interface Forecast {
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** The months of which something is known. */
  months: ForecastMonth[];
}

export interface ForecastAmount {
  /** How many there are. */
  count: number;
  /** How they change the revenue of a month. It may be negative. */
  monthly_revenue: string;
  /** How they change the revenue of a year, exactly. It may be negative. */
  annual_revenue: string;
}

export interface ForecastChange {
  /** The day. */
  on: string;
  /** `move`: a scheduled change of the plan. `trial`: the trial ends. */
  kind: 'move' | 'trial';
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Name of the customer. */
  customer_name: string;
  /** Name of the plan before. */
  from_plan_name: string;
  /** Name of the plan after; the same when a trial ends. */
  to_plan_name: string;
  /** Price of the plan after. A decimal number. */
  plan_price: string;
  /** How often that price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** How it changes what the customer pays in a year. A decimal number, which may be negative. */
  annual_change: string;
}

export interface ForecastChangeList {
  /** The next first. */
  changes: ForecastChange[];
  /** `after` of the next part; null for the last one. */
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
  /** Path of the largest variant on the site: what the text of a page names the image by. */
  src: string;
  /** Path of the smallest variant on the site. */
  thumbnail: string;
  /** In pixels. */
  width: number;
  /** In pixels. */
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
  /** Whether there are older ones. */
  has_more: boolean;
}

export interface ImportedPage {
  /** Page identifier. */
  id: string;
  /** Name of the page. */
  name: string;
  /** Its sub-pages. */
  children: ImportedPage[];
}

export interface ImportedSite {
  /** How many pages are not published: drafts, and what only some could see. */
  unpublished: number;
  /** How many former addresses redirect. */
  redirects: number;
  /** How many images were copied. */
  images_copied: number;
  /** How many stay at the old site. */
  images_left: number;
  /** Sentences in English about everything that could not be imported as it was. */
  notes: string[];
}

export interface Key {
  /** Identifier of the key. */
  id: string;
  /** Identifier of the account in which it works. */
  account_id: string;
  /** What it is for. */
  name: string;
  /** Its last four characters. */
  last4: string;
  /** Name of the user in whose name it acts. */
  user: string;
  /** What it may do; null for everything. */
  scopes: ('pages:read' | 'pages:write' | 'images:read' | 'images:write' | 'customers:read' | 'customers:write' | 'plans:read' | 'plans:write' | 'revenue:read' | 'domains:read' | 'domains:write' | 'users:read' | 'users:write' | 'settings:read' | 'settings:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'keys:read' | 'keys:write')[] | null;
  /** When it was issued. */
  created_at: string;
  /** The key with which a program issued it; null if a person did. */
  issued_by: string | null;
  /** When it ends; null if it does not. */
  expires_at: string | null;
  /** When it was revoked; null if it was not. */
  revoked_at: string | null;
  /** When it was used last, right to a minute; null if it was not. */
  last_used_at: string | null;
}

export interface KeyList {
  /** Newest first. */
  keys: Key[];
  /** `before` of the next part; null for the last one. */
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
  /** The root-level pages, in their order. */
  pages: Page[];
}

export interface PageSelection {
  /** The root-level pages, in their order. */
  pages: SelectedPage[];
}

export interface PageToImport {
  /** Name of the page, unique within the account. */
  name: string;
  /** The page's part of its URL. Not given: made of the name. */
  urlname?: string;
  /** Content of the page, kept byte for byte: HTML in the form used by the editor, or Markdown. */
  body?: string;
  /** Whether the page is hidden from navigation. */
  is_hidden?: boolean;
  /** Page excerpt, used as meta-data. */
  description?: string | null;
  /** Format used to edit the page. Not given: the editor chosen in the account settings. */
  body_format?: 'markdown_format' | 'wysiwyg_format' | '';
  /** A date of the page. Not given: the time of the import. */
  custom_date?: string;
  /** Whether visitors see the page. Not given: they do. */
  is_published?: boolean;
  /** Sub-pages, each with the same fields. */
  children?: PageToImport[];
}

export interface Plan {
  /** Plan identifier. */
  id: string;
  /** Name of the plan. */
  name: string;
  /** For the people of the account; may be empty. */
  description: string;
  /** Price for an interval. A decimal number. */
  price: string;
  /** How often the price is due. */
  interval: 'month' | 'quarter' | 'year';
  /** How many days cost nothing at first. */
  trial_days: number;
  /** Whether new customers get it. */
  is_default: boolean;
  /** Whether no more customers can get it. */
  is_retired: boolean;
  /** How many active customers are on it. */
  customers_count: number;
  /**  */
  limits: {
  /** At most so much; null for any. Storage is in bytes. */
  pages: number | null;
  /** At most so much; null for any. Storage is in bytes. */
  people: number | null;
  /** At most so much; null for any. Storage is in bytes. */
  storage: number | null;
  /** At most so much; null for any. Storage is in bytes. */
  domains: number | null;
};
}

export interface PlanAnswer {
  /**  */
  plan: Plan;
}

export interface PlanList {
  /** In their order. */
  plans: Plan[];
  /** The currency of all prices, by its code of ISO 4217; null while none is chosen. */
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
  /** In the order of plans. */
  plans: PlanRevenue[];
}

export interface PriceChange {
  /** Identifier of the change. */
  id: string;
  /** Identifier of the plan whose customers move. */
  plan_id: string;
  /** Identifier of the plan at the new price. */
  new_plan_id: string;
  /** The day on which they move. */
  from: string;
  /** How many customers it will move. */
  customers_count: number;
}

export interface PriceChangeList {
  /** The next first. */
  price_changes: PriceChange[];
}

export interface PricePreview {
  /** How many customers would move. */
  customers_count: number;
  /** How many of them are not suspended. */
  active_customers_count: number;
  /** How many customers on the plan have another scheduled change, which stays. */
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
  /** Where the page is now; null for one that is in the trash. */
  url: string | null;
}

export interface RedirectList {
  /** By their pages. */
  redirects: Redirect[];
  /** `after` of the next part; null for the last one. */
  next: string | null;
}

export interface Revenue {
  /** The time zone of the days. */
  time_zone: string;
  /** The currency of all prices, by its code of ISO 4217; null while none is chosen. */
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
  /** The months, quarters or years of the range, which may cut off the first and the last. */
  periods: RevenuePeriod[];
}

export interface RevenueCustomer {
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Present name of the customer. */
  name: string;
  /** Whether it was deleted for good since. */
  is_deleted: boolean;
  /** Since when it is so, or when it moved. */
  at: string;
  /** The plan, with its name at that time; null once the customer is suspended or deleted. */
  plan_name: string | null;
  /** Its price at that time. */
  plan_price: string | null;
  /** How often that price is due. */
  plan_interval: 'month' | 'quarter' | 'year' | null;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** How that changed then. A decimal number, which may be negative. */
  annual_change: string;
}

export interface RevenueCustomerList {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** The day at whose end those who came are listed. */
  as_of: string;
  /**  */
  total: RevenueMovement;
  /** In the order in which they came or moved. */
  customers: RevenueCustomer[];
  /** `after` of the next part; null for the last one. */
  next: string | null;
}

export interface RevenueMovement {
  /** A twelfth of the year. A decimal number. */
  monthly_revenue: string;
  /** Exact amount for a year. A decimal number. */
  annual_revenue: string;
  /** How often it happened. */
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
  /** The share of the revenue that stayed, without what customers paid more. 0.05 is 5 %; null if nobody paid at the beginning. */
  gross_retention: number | null;
  /** The share of the revenue that stayed, with what customers paid more. 0.05 is 5 %; null if nobody paid at the beginning. */
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
  /** Name that the page had. */
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
  /** `before` of the next part; null for the last one. */
  next: string | null;
}

export interface ScheduledChange {
  /** Identifier of the customer's account. */
  customer_id: string;
  /** Name of the customer. */
  customer_name: string;
  /** Subdomain of its site. */
  customer_subdomain: string;
  /** The day at whose beginning it gets the plan. */
  on: string;
  /** Plan identifier. */
  plan_id: string;
  /** Name of the plan. */
  plan_name: string;
  /** Price of the plan. A decimal number. */
  plan_price: string;
  /** How often the price is due. */
  plan_interval: 'month' | 'quarter' | 'year';
  /** Why it could not be made on its day; null for one that waits. */
  failure: null | 'customer_deleted' | 'customer_suspended' | 'plan_retired' | 'over_limits';
}

export interface ScheduledChangeList {
  /** The next first. */
  scheduled_changes: ScheduledChange[];
  /** `after` of the next part; null for the last one. */
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
  /** Sub-pages, each with the same fields. Missing where they are left out, and in changes. */
  children?: SelectedPage[];
}

export interface Settings {
  /** Name of the account. */
  name: string;
  /** Subdomain of its site. */
  subdomain: string;
  /** Language of the site's own words. */
  language: string;
  /** Time zone. */
  time_zone: string;
  /** Format of new pages. */
  editor: string;
  /** Theme of the site. */
  theme: string;
  /** Colour of the site. */
  accent: string;
  /** Page to which a second button on the home page leads; null for none. */
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
  /** Their name. */
  name: string;
  /** Their mail address. */
  email: string;
  /** What they may do. */
  role: 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
  /** Whether they have chosen a password. */
  has_password: boolean;
  /** Since when they are there. */
  created_at: string;
  /** When they were in the app last, right to a minute; null if they were not. */
  last_seen_at: string | null;
}

export interface UserList {
  /** The first one first. */
  users: User[];
}

export interface Webhook {
  /** Identifier of the webhook. */
  id: string;
  /** The address to which events are sent. */
  url: string;
  /** Kinds of the events that are sent, with which their types begin; null for all events. */
  kinds: ('page' | 'media' | 'customer' | 'plan' | 'user' | 'domain' | 'mail' | 'settings')[] | null;
  /** Failing: an event is sent again and again, and the next ones wait. Paused: nothing is sent any more. */
  state: 'active' | 'failing' | 'paused';
  /** When it was added. */
  created_at: string;
  /** When the first attempt failed since the last one that succeeded; null if none has. */
  failing_since: string | null;
  /** When it was paused, as it had failed for too long; null if it is not. */
  paused_at: string | null;
  /** When the event that waits is sent again; null where none waits. */
  next_attempt_at: string | null;
}

export interface WebhookAnswer {
  /**  */
  webhook: Webhook;
}

export interface WebhookList {
  /** In their order. */
  webhooks: Webhook[];
}

export interface WholeRevision {
  /** Identifier of the revision. */
  id: string;
  /** Name that the page had. */
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
