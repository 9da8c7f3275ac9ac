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
  account: {
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
  };
}

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

/** POST /admin/reset-password: for `reset_password` and `invitation`; signs in. POST /admin/sign-in-link {token}: for `sign_in`. */
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
