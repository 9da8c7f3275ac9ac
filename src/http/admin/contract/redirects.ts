import * as v from 'valibot';
import { text } from '../schema.ts';

/* Redirects: further paths of the site that redirect to a page, such as its former addresses. */

/** Part of GET /admin/pages/:id/redirects. */
export interface RedirectJson {
  id: number;
  path: string;
  /** True if a page has the path now: visitors see that page and are not redirected. */
  isCovered: boolean;
}

export interface AddedRedirectJson extends RedirectJson {
  /** The name of the page that the path redirected to before; null if there was none. */
  formerPage: string | null;
}

/** GET /admin/pages/:id/redirects: the latest first, without the page's present path */
export interface RedirectsJson {
  redirects: RedirectJson[];
  /** True if the page has more redirects than these. */
  hasMore: boolean;
}

/**
 * POST /admin/pages/:id/redirects → 201 AddedRedirectJson. `path` may also be a full URL: its path and query are used.
 * DELETE /admin/redirects/:id → 204
 */
export const addRedirectInput = v.object({ path: text });
export type AddRedirectInput = v.InferInput<typeof addRedirectInput>;
