/* Types that all routes share. */

import type { FieldError } from '../../../field-error.ts';
import type { Reason } from '../../../refusal.ts';

export type { DomainNote } from '../../../domains/domain-note.ts';
export type { FieldCode, FieldError, FieldWords } from '../../../field-error.ts';
export type { Reason, RefusalReason, RefusalWords } from '../../../refusal.ts';

export type Role = 'accountant' | 'viewer' | 'editor' | 'admin' | 'owner';
export type Permission =
  | 'view_pages'
  | 'view_revenue'
  | 'edit_pages'
  | 'administer_pages'
  | 'manage_users'
  | 'update_settings'
  | 'update_theme'
  | 'view_customers'
  | 'manage_customers'
  | 'manage_plans'
  | 'manage_brand';
export type BodyFormat = 'markdown_format' | 'wysiwyg_format';
export type Theme = 'typographic' | 'business' | 'portfolio' | 'documentation';

/** The body of every response whose status is not 2xx. */
export interface ErrorJson {
  error: {
    code: AdminErrorCode;
    /** For developers. The app has its own texts for `fields` and `why`, or else for `code`. */
    message: string;
    /** Each broken rule, if the code is `invalid`. */
    fields?: readonly FieldError[];
    /** The reason, if the code alone does not tell the user what to do. */
    why?: Reason;
  };
}

/** A refused change, in the answer to a request with several changes. */
export interface RefusedJson {
  /** The id of the thing that was not changed. */
  id: number;
  code: AdminErrorCode;
  /** The reason; null if the code alone tells the user what to do. */
  why: Reason | null;
  /** Each broken rule, if the code is `invalid`. */
  fields?: readonly FieldError[];
}

export type AdminErrorCode =
  /** 400: the route does not accept such a body or query. */
  | 'malformed'
  /** 401: there is no session, or it has ended: sign in. When signing in: wrong mail address or password. */
  | 'unauthorized'
  /** 401, when signing in: the password is right. Send the request again with `code`. */
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
  /** 409: the present state does not allow the change. */
  | 'conflict'
  /** 412: the page has changed since the version in If-Match. */
  | 'outdated'
  /** 410 */
  | 'gone'
  /** 413 */
  | 'too_large'
  /** 422: see `fields`. */
  | 'invalid'
  /** 428: If-Match is required, with the version that the change is based on. */
  | 'if_match_needed'
  /** 429: Retry-After says when to try again, in seconds. */
  | 'rate_limited'
  /** 500 */
  | 'failed'
  /** 503: try again. */
  | 'unavailable';
