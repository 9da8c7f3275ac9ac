import * as v from 'valibot';
import { text } from '../schema.ts';

/* Redirects: further paths of the site that lead to a page, such as its former addresses. */

/** In GET /admin/pages/:id/redirects */
export interface RedirectJson {
  id: number;
  path: string;
  /** A page is at the path now, and visitors see that one. */
  isCovered: boolean;
}

/** A redirect that was added. */
export interface AddedRedirectJson extends RedirectJson {
  /** The name of the other page to which the path led until now; null if it led to none. */
  formerPage: string | null;
}

/** GET /admin/pages/:id/redirects: the latest first, without the address that the page has now */
export interface RedirectsJson {
  redirects: RedirectJson[];
  /** Whether there are more than those. */
  hasMore: boolean;
}

/**
 * POST /admin/pages/:id/redirects → 201 AddedRedirectJson. The path may be a whole address, of which the path and the query are
 * taken. DELETE
 * /admin/redirects/:id → 204
 */
export const addRedirectInput = v.object({ path: text });
export type AddRedirectInput = v.InferInput<typeof addRedirectInput>;
