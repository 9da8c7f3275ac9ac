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

/** POST /admin/password → 204; every other session of the user's ends. */
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
