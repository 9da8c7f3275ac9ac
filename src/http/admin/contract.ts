/*
 * What the admin app and its surface say to each other, in one place; the app imports its types from here. Nothing but
 * types, and nothing imported, so that the app's bundle has nothing of the server's. Times are milliseconds since
 * 1970 UTC, ids are whole numbers.
 */

export type Role = 'viewer' | 'editor' | 'admin' | 'owner';
export type Permission =
  | 'view_pages'
  | 'edit_pages'
  | 'administer_pages'
  | 'manage_users'
  | 'update_settings'
  | 'update_theme';
export type BodyFormat = 'markdown_format' | 'wysiwyg_format';
export type Theme = 'typographic' | 'business' | 'portfolio' | 'documentation';

/** Every answer that is not 2xx. */
export interface ErrorJson {
  error: {
    code: AdminErrorCode;
    /** A sentence for the person at the screen. */
    message: string;
    /** With `invalid`: each field and what is wrong with it, as the end of a sentence. */
    fields?: [field: string, message: string][];
  };
}

export type AdminErrorCode =
  /** 400: not what this route takes. */
  | 'malformed'
  /** 401: there is no session (any more): sign in. With sign-in: wrong address or password. */
  | 'unauthorized'
  /** 401, sign-in only: right so far; send it once more with `code`. */
  | 'second_factor'
  /** 403: the role does not allow it. */
  | 'forbidden'
  /** 403: the request comes from another site. */
  | 'cross_site'
  /** 403: the account is suspended. */
  | 'suspended'
  /** 404 */
  | 'not_found'
  /** 405 */
  | 'method_not_allowed'
  /** 409: something else is in the way. */
  | 'conflict'
  /** 412: somebody else changed it first (If-Match). */
  | 'outdated'
  /** 413 */
  | 'too_large'
  /** 422: see `fields`. */
  | 'invalid'
  /** 428: name the version that the change starts from (If-Match). */
  | 'if_match_needed'
  /** 429: see Retry-After, in seconds. */
  | 'rate_limited'
  /** 500 */
  | 'failed'
  /** 503: try again. */
  | 'unavailable';

/** POST /admin/sign-in */
export interface SignInInput {
  email: string;
  password: string;
  /** The subdomain of the site: from the address of the sign-in page, or chosen. */
  account?: string;
  /** Of the second factor: six digits, or a recovery code. */
  code?: string;
}
export type SignInJson = { signedIn: true } | { choose: { subdomain: string; name: string }[] };

/** GET /admin/session */
export interface SessionJson {
  user: {
    id: number;
    name: string;
    email: string;
    role: Role;
    permissions: Permission[];
    /** False for those who came by a link and have none yet: `current` is not asked of them. */
    hasPassword: boolean;
    hasSecondFactor: boolean;
  };
  account: AccountJson;
}

/** In GET /admin/session, and GET and PATCH /admin/settings */
export interface AccountJson {
  id: number;
  name: string;
  subdomain: string;
  /** Where visitors find the site, without a slash at the end. */
  address: string;
  editor: BodyFormat;
  theme: Theme;
  accent: string;
  language: string;
  /** An IANA name. */
  timeZone: string;
}

/** PATCH /admin/settings → AccountJson. What is not sent stays as it is. */
export type SettingsInput = Partial<
  Pick<AccountJson, 'name' | 'editor' | 'theme' | 'accent' | 'language' | 'timeZone'>
>;

/** POST /admin/forgotten-password → 204, always */
export interface ForgottenPasswordInput {
  email: string;
  account?: string;
}

/** POST /admin/one-time-link {token}: what a link that was not used yet is for; 404 for any other. Does not use it. */
export interface OneTimeLinkJson {
  purpose: 'reset_password' | 'invitation' | 'sign_in';
  email: string;
  accountName: string;
}

/**
 * POST /admin/reset-password → {signedIn}: for `reset_password` and `invitation`. It is false where a second factor is
 * still to be asked for: go to the sign-in page. POST /admin/sign-in-link {token} → {signedIn: true}: for `sign_in`.
 */
export interface ResetPasswordInput {
  token: string;
  password: string;
  confirmation: string;
}

/** POST /admin/password → 204; every session of the user's ends, and the browser gets a new one. */
export interface ChangePasswordInput {
  current: string;
  password: string;
  confirmation: string;
}

/** GET /admin/sessions → {sessions}; DELETE /admin/sessions/ID → 204; POST /admin/sign-out, sign-out-everywhere → 204 */
export interface ListedSessionJson {
  id: number;
  isCurrent: boolean;
  createdAt: number;
  /** Right to a minute. */
  lastSeenAt: number;
  ip: string;
  userAgent: string;
}

/** POST /admin/second-factor {current}: counts once confirmed. `uri` is what apps read from a QR code. */
export interface NewSecondFactorJson {
  secret: string;
  uri: string;
}
/** POST /admin/second-factor/confirm {code}; POST /admin/second-factor/remove {current} → 204 */
export interface RecoveryCodesJson {
  recoveryCodes: string[];
}

/**
 * GET /admin/passkeys: the user's own. POST /admin/passkeys/begin {current} → what `navigator.credentials.create` takes;
 * POST /admin/passkeys {name, answer} → 201 {id}, with what it gave; PATCH /admin/passkeys/ID {name} → 204; DELETE → 204.
 * POST /admin/passkeys/challenge → what `navigator.credentials.get` takes; 409 where there cannot be any passkeys.
 * POST /admin/passkeys/sign-in {answer, account?} → {signedIn: true}; 409 when it is for another account.
 */
export interface PasskeysJson {
  /** False where PUBLIC_URL is an IP address or without HTTPS: browsers have no passkeys there. */
  arePossible: boolean;
  passkeys: PasskeyJson[];
}

export interface PasskeyJson {
  id: number;
  name: string;
  /** Whether it is in an account of the user's, too, such as that of their phone, and not on one device alone. */
  isBackedUp: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

/**
 * GET /admin/users → {users}; POST /admin/users {name, email, role} → 201 {id}; POST /admin/users/ID/invite → 204, the
 * mail once more; PATCH /admin/users/ID {name?, role?} → 204; DELETE /admin/users/ID → 204
 */
export interface UserJson {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** False until they have chosen a password. */
  hasAccepted: boolean;
  hasSecondFactor: boolean;
  createdAt: number;
  /** Null when they were never here, or not in the last 90 days. */
  lastSeenAt: number | null;
  /** API keys in their name that still work: gone for good when they are removed, or may not issue any more. */
  keyCount: number;
}

/** GET /admin/keys → {keys}; DELETE /admin/keys/ID → 204 (the key ends at once, and stays in the list) */
export interface ApiKeyJson {
  id: number;
  name: string;
  last4: string;
  /** In whose name it acts. */
  userName: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  lastUsedIp: string | null;
}
/** POST /admin/keys {name, expiresAt?} and POST /admin/keys/ID/rotate {overlapHours?} → 201: the only time it is seen */
export interface IssuedKeyJson {
  id: number;
  key: string;
}

/**
 * GET /admin/domains → {domains}; POST /admin/domains {host} → 201 DomainJson; POST /admin/domains/ID/verify → DomainJson;
 * DELETE /admin/domains/ID → 204
 */
export interface DomainJson {
  id: number;
  host: string;
  /** As people write it, where it is an internationalised name. */
  shownHost: string;
  isPrimary: boolean;
  verifiedAt: number | null;
  checkedAt: number | null;
  lastError: string | null;
  /** One of these in the DNS proves that the host is the account's. */
  records: { type: 'TXT' | 'CNAME'; name: string; value: string }[];
}

/** GET /admin/log?before=ID → {entries, hasMore}: 50, the latest first */
export interface LogEntryJson {
  id: number;
  /** A name, `operator`, or `somebody`. */
  actor: string;
  userId: number | null;
  /** `page.moved` */
  action: string;
  /** `page_12` */
  subject: string;
  details: Record<string, unknown>;
  ip: string | null;
  at: number;
}

/*
 * Pages. What changes contents takes `If-Match: "VERSION"`, the version of the page that the user has seen: where somebody
 * else has changed it since, the answer is 412 `outdated` with `current`, and nothing has been written over. Moving a page
 * raises its version too, but never makes anybody outdated.
 */

/** What of a page its users write. */
export interface PageFieldsJson {
  /** Unique within the account. */
  name: string;
  /** Blank: made of the name. Changing the name alone changes no address; send `urlname: ""` with it if it should. */
  urlname: string;
  isHidden: boolean;
  description: string | null;
  customDate: number;
  body: string;
  /** Empty only for pages that were brought in without one. */
  bodyFormat: BodyFormat | '';
}

/** GET /admin/pages?parent=0&after=0&limit=100 : the children of a page, or with 0 the root pages, in order. */
export interface PageChildrenJson {
  /** Those whose position comes after `after`; `limit` is 100 if not given, 200 at most. */
  pages: TreePageJson[];
  /** How many children there are in all. */
  total: number;
}

export interface TreePageJson {
  id: number;
  /** 0 for the root. */
  parentId: number;
  name: string;
  urlname: string;
  /** 1 to `total`, without gaps. */
  position: number;
  isHidden: boolean;
  childCount: number;
  /** The user has one. */
  hasDraft: boolean;
  version: number;
}

/** GET /admin/pages/search?q= : at most 50, the best first. */
export interface PageSearchJson {
  pages: FoundPageJson[];
}

export interface FoundPageJson {
  id: number;
  parentId: number;
  name: string;
  path: string;
  isHidden: boolean;
}

/** GET /admin/pages/:id, with `ETag: "VERSION"`; the answer of POST /admin/pages too. */
export interface PageJson extends PageFieldsJson {
  id: number;
  /** 0 for the root. */
  parentId: number;
  /** From the root down: the page's address, below that of the site. */
  path: string;
  /** From its root page down to its parent. */
  ancestors: { id: number; name: string; urlname: string }[];
  position: number;
  createdAt: number;
  createdBy: string;
  updatedAt: number;
  updatedBy: string;
  version: number;
  /** What the user has written and not published. */
  draft: DraftJson | null;
  /** Who else has a draft of the page. */
  otherDrafts: { by: string; updatedAt: number }[];
}

export interface DraftJson {
  fields: Partial<PageFieldsJson>;
  /** The version of the page that it began with: what to publish it with. */
  basedOn: number;
  updatedAt: number;
}

/** 412 */
export interface OutdatedPageJson extends ErrorJson {
  current: PageJson;
}

/** POST /admin/pages: the page comes last among its siblings. */
export interface CreatePageInput {
  name: string;
  /** 0 for the root. */
  parentId?: number;
  body?: string;
  /** The account's editor if not given. */
  bodyFormat?: BodyFormat;
  description?: string | null;
  isHidden?: boolean;
}

/**
 * PATCH /admin/pages/:id {...fields}, If-Match required (428 without). With `preview`, and then without If-Match, changes
 * nothing and tells what it would.
 */
export type UpdatePageInput = Partial<PageFieldsJson> & { preview?: true };

/** POST /admin/pages/:id/move */
export interface MovePageInput {
  /** 0 for the root. */
  parentId: number;
  /** Among the new siblings, counted from 1; the last if not given. */
  position?: number;
  /** Changes nothing and tells what it would. */
  preview?: true;
}

/** What a change of a page has done: PATCH, move, publish, restore. With `preview` only `changedAddresses`. */
export interface PageChangeJson {
  /** How many pages have another address now. The old addresses lead there. */
  changedAddresses: number;
  /** For POST /admin/undo/:id, for 30 days; null where nothing was changed. */
  undo: number | null;
  /** The page as it is now. */
  page: PageJson;
}

/** POST /admin/pages/:id/duplicate: the copy is hidden and comes next after the page. */
export interface DuplicatePageInput {
  withSubPages?: boolean;
}
export interface DuplicatedPageJson {
  page: PageJson;
}

/** DELETE /admin/pages/:id: with all below it. */
export interface DeletedPageJson {
  deleted: number;
  undo: number;
}

/** POST /admin/undo/:id: 409 `conflict` when it has been undone already or something is in the way. */
export interface UndoneJson {
  page: PageJson;
  /** By which the undoing is undone; null after a deletion. */
  undo: number | null;
}

/** PUT /admin/pages/:id/draft: replaces the user's draft of the page. DELETE → 204, also where there is none. */
export interface SaveDraftInput {
  fields: Partial<PageFieldsJson>;
  basedOn: number;
}

/**
 * POST /admin/pages/:id/publish {fields?}, If-Match required (428 without). Publishes `fields`, or else the user's draft;
 * the draft is gone then. → PageChangeJson, or 412 OutdatedPageJson with the draft still there.
 */
export interface PublishPageInput {
  fields?: Partial<PageFieldsJson>;
}

/** GET /admin/pages/:id/revisions: earlier published states, the latest first. The present one is the page itself. */
export interface RevisionsJson {
  revisions: RevisionJson[];
}

export interface RevisionJson {
  id: number;
  version: number;
  name: string;
  /** When it was published, and by whom. */
  at: number;
  by: string;
}

/** GET /admin/revisions/:id */
export interface WholeRevisionJson extends RevisionJson, PageFieldsJson {
  pageId: number;
}

/**
 * POST /admin/revisions/:id/restore, with If-Match as for PATCH: text, format, description and name of the revision are published again (the name only
 * where no other page has it); address, date and visibility stay. → PageChangeJson
 */

/**
 * POST /admin/pages/:id/preview: the page as visitors would see it if these fields were published, as a document of its
 * own. It is for a frame, and comes with a policy that gives it neither scripts nor an origin. Since only a form can fill a
 * frame by POST, this may also be sent as the field `json` of one. The element `preview-here` is where `at` is.
 */
export interface PreviewPageInput {
  fields: Partial<PageFieldsJson>;
  /** Where in the body something is being written, in thousandths of it. */
  at?: number;
}

/** POST /admin/site-preview: the same of the home page, in another look. */
export interface PreviewLookInput {
  theme: Theme;
  accent: string;
}

/** POST /admin/preview: a body as the site shows it, alone. The html is safe to put into a page. */
export interface PreviewInput {
  body: string;
  bodyFormat: BodyFormat | '';
}
export interface PreviewJson {
  html: string;
}

/*
 * Images. An image belongs to the account, not to a page; `src` is what pages name it by, and the address on the site.
 */

export interface MediaJson {
  id: number;
  /** `/media/HASH-WIDTHxHEIGHT.webp`: of the largest form. */
  src: string;
  /** The same of the smallest form. */
  thumbnail: string;
  /** As the file was called. */
  name: string;
  /** Empty where it is only decoration, null while nobody has said. */
  alt: string | null;
  /** In pixels. */
  width: number;
  height: number;
  isMoving: boolean;
  /** Of all forms together. */
  bytes: number;
  createdAt: number;
  createdBy: string;
}

/** GET /admin/media?before=ID: 50, the latest first */
export interface MediaListJson {
  media: MediaJson[];
  hasMore: boolean;
  /** Bytes that the images take up, and may. */
  used: number;
  quota: number;
}

/**
 * POST /admin/media?name=FILENAME, the file's bytes as `application/octet-stream` → 201 MediaJson, or 200 with the image
 * where the account has the same already. 422 `invalid` for what is no image to be shown, 409 `conflict` where there is no
 * room, 413, 429.
 */

/** PATCH /admin/media/:id → MediaJson */
export interface ChangeMediaInput {
  alt: string | null;
}

/** GET /admin/media/:id/uses: the first pages that show it, in somebody's draft too, and how many there are. */
export interface MediaUsesJson {
  pages: { id: number; name: string }[];
  total: number;
}

/** DELETE /admin/media/:id: off the site at once; POST /admin/media/:id/restore → MediaJson, for 30 days. */
export interface RemovedMediaJson {
  /** Where it is missing now. */
  shownOn: MediaUsesJson;
}

/** GET /admin/media/file?name=HASH-WIDTHxHEIGHT.webp: the bytes, for the app's own pages. */
