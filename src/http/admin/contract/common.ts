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

/** Every answer that is not 2xx. */
export interface ErrorJson {
  error: {
    code: AdminErrorCode;
    /** For developers: the app words `fields` and `why`, or else `code`, itself. */
    message: string;
    /** With `invalid`: each broken rule. */
    fields?: readonly FieldError[];
    /** The reason, where the code alone does not tell what to do. */
    why?: Reason;
  };
}

/** One of several changes that a request makes was refused. */
export interface RefusedJson {
  /** The id of the thing that was not changed. */
  id: number;
  code: AdminErrorCode;
  /** Null where the code alone tells what to do. */
  why: Reason | null;
  /** With `invalid`: each broken rule. */
  fields?: readonly FieldError[];
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
  /** 410 */
  | 'gone'
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
