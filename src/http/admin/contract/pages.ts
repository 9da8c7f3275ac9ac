import * as v from 'valibot';
import { bodyFormats } from '../../../pages/page.ts';
import { flag, integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { ErrorJson } from './common.ts';

/*
 * Pages. Requests that change contents have `If-Match: "VERSION"`, with the version of the page that the user has seen. If the
 * contents have changed since, the answer is 412 `outdated` with the present page in `current`, and nothing is overwritten.
 * Moving a page also raises its version, but outdates no edit.
 */

export const bodyFormat = oneOf([...bodyFormats, '']);

/** The fields of a page that users edit. */
const pageFields = v.object({
  /** Unique within the account. */
  name: text,
  /** Derived from the name if blank. A new name alone keeps the urlname; send `urlname: ""` with the name to change both. */
  urlname: text,
  isHidden: flag,
  description: v.nullable(text),
  customDate: integer,
  body: text,
  /** Empty only for pages that were imported without a format. */
  bodyFormat,
});
export type PageFieldsJson = v.InferOutput<typeof pageFields>;

/** The changed fields of a page. */
export const somePageFields = v.object(v.partial(pageFields).entries, 'must be an object');

/** GET /admin/pages?parent=0&after=0&limit=100: the children of a page in order; the root pages if `parent` is 0. */
export const pageChildrenQuery = v.object({
  parent: v.optional(wholeNumber, '0'),
  after: v.optional(wholeNumber, '0'),
  limit: v.optional(wholeNumber, '100'),
});

export interface PageChildrenJson {
  /** The children at positions after `after`; `limit` is 100 by default, 2,000 at most. */
  pages: TreePageJson[];
  /** The number of all children. */
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
  isPublished: boolean;
  childCount: number;
  /** True if the user has a draft of the page. */
  hasDraft: boolean;
  version: number;
}

/** GET /admin/pages/search?q=: up to 50 pages, the best match first. */
export const pageSearchQuery = v.object({ q: v.optional(text, '') });

export interface PageSearchJson {
  pages: FoundPageJson[];
  hasMore: boolean;
}

interface FoundPageJson {
  id: number;
  parentId: number;
  name: string;
  path: string;
  /** True for the home page, which is at `/` on the site. */
  isHome: boolean;
  isHidden: boolean;
  isPublished: boolean;
  /** The match in the text, if the page was found by its text rather than its name. */
  excerpt?: { before: string; match: string; after: string };
}

/** GET /admin/pages/:id, with `ETag: "VERSION"`; also the answer of POST /admin/pages. */
export interface PageJson extends PageFieldsJson {
  id: number;
  /** 0 for the root. */
  parentId: number;
  /** The page's path on the site. */
  path: string;
  /** True for the home page, which is at `/`: its own path redirects there. */
  isHome: boolean;
  /**
   * The ancestors, from the root page down to the parent. Below a hidden or unpublished ancestor, a page is in no navigation,
   * whatever its own `isHidden`.
   */
  ancestors: { id: number; name: string; urlname: string; isHidden: boolean; isPublished: boolean }[];
  /** True if visitors can see the page. An unpublished page has no address. */
  isPublished: boolean;
  position: number;
  createdAt: number;
  createdBy: string;
  updatedAt: number;
  updatedBy: string;
  version: number;
  /** The user's draft. */
  draft: DraftJson | null;
  /** Drafts of other users. */
  otherDrafts: { by: string; updatedAt: number }[];
}

export interface DraftJson {
  fields: Partial<PageFieldsJson>;
  /** The version of the page that the draft is based on, for If-Match when publishing it. */
  basedOn: number;
  updatedAt: number;
}

/** 412: the page has changed. */
export interface OutdatedPageJson extends ErrorJson {
  current: PageJson;
}

/** POST /admin/pages creates an unpublished page, the last among its siblings. */
export const createPageInput = v.object({
  name: text,
  /** 0 for the root. */
  parentId: v.optional(integer),
  body: v.optional(text),
  /** The format of the account's editor if omitted. */
  bodyFormat: v.optional(bodyFormat),
  description: v.optional(v.nullable(text)),
  isHidden: v.optional(flag),
});
export type CreatePageInput = v.InferInput<typeof createPageInput>;

/**
 * PATCH /admin/pages/:id {...fields}. If-Match is required (428 without). With `preview`, for which If-Match is optional, the
 * request changes nothing and returns what it would change.
 */
export const updatePageInput = v.object({ ...somePageFields.entries, preview: v.optional(flag) });
export type UpdatePageInput = v.InferInput<typeof updatePageInput>;

export interface UpdatePreviewJson {
  changedAddresses: number;
  /** The urlname that the page would get: from the given text, or from the name. */
  urlname: string;
}

/** POST /admin/pages/:id/move */
export const movePageInput = v.object({
  /** 0 for the root. */
  parentId: integer,
  /** The position among the new siblings, counted from 1; the last if omitted. */
  position: v.optional(integer),
  /** Only reports what the change would do. */
  preview: v.optional(flag),
});
export type MovePageInput = v.InferInput<typeof movePageInput>;

/** Part of the result of a change that may make another page the home page. */
export interface HomeChangeJson {
  /** Set if the home page changed: its name, or null if no root page is visible any more. */
  home?: string | null;
}

/** The result of a change: PATCH, move, publish, restore. A move with `preview` has only `changedAddresses`. */
export interface PageChangeJson extends HomeChangeJson {
  /** How many pages have a new address. The old addresses of published pages redirect to it. */
  changedAddresses: number;
  /** The id for POST /admin/undo/:id, valid for 30 days; null if nothing changed. */
  undo: number | null;
  /** The page as it is now. */
  page: PageJson;
}

/** POST /admin/pages/:id/duplicate: the copy follows the page, is unpublished, and has no children. */
export interface DuplicatedPageJson {
  page: PageJson;
}

/** DELETE /admin/pages/:id deletes the page with its descendants. */
export interface DeletedPageJson extends HomeChangeJson {
  deleted: number;
  undo: number;
}

/** POST /admin/undo/:id: 409 `conflict` if the change was undone already, or a later change prevents it. */
export interface UndoneJson {
  page: PageJson;
  /** The id to undo the undo; null if it restored a deleted page. */
  undo: number | null;
}
