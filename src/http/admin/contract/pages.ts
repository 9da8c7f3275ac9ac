import * as v from 'valibot';
import { bodyFormats } from '../../../pages/page.ts';
import { flag, integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { ErrorJson } from './common.ts';

/*
 * Pages. What changes contents takes `If-Match: "VERSION"`, the version of the page that the user has seen: where somebody
 * else has changed it since, the answer is 412 `outdated` with `current`, and nothing has been written over. Moving a page
 * raises its version too, but never makes anybody outdated.
 */

export const bodyFormat = oneOf([...bodyFormats, '']);

/** The fields of a page that its users write. */
const pageFields = v.object({
  /** Unique within the account. */
  name: text,
  /** Blank: made of the name. Changing the name alone changes no address; send `urlname: ""` with it if it should. */
  urlname: text,
  isHidden: flag,
  description: v.nullable(text),
  customDate: integer,
  body: text,
  /** Empty only for pages that were brought in without one. */
  bodyFormat,
});
export type PageFieldsJson = v.InferOutput<typeof pageFields>;

/** The fields that have changed. */
export const somePageFields = v.object(v.partial(pageFields).entries, 'must be an object');

/** GET /admin/pages?parent=0&after=0&limit=100 : the children of a page, or with 0 the root pages, in order. */
export const pageChildrenQuery = v.object({
  parent: v.optional(wholeNumber, '0'),
  after: v.optional(wholeNumber, '0'),
  limit: v.optional(wholeNumber, '100'),
});

export interface PageChildrenJson {
  /** The children at positions after `after`; `limit` is 100 by default, 2,000 at most. */
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
  isPublished: boolean;
  childCount: number;
  /** The user has one. */
  hasDraft: boolean;
  version: number;
}

/** GET /admin/pages/search?q= : at most 50, the best first. */
export const pageSearchQuery = v.object({ q: v.optional(text, '') });

export interface PageSearchJson {
  pages: FoundPageJson[];
  hasMore: boolean;
}

export interface FoundPageJson {
  id: number;
  parentId: number;
  name: string;
  path: string;
  /** Whether visitors find it at "/". */
  isHome: boolean;
  isHidden: boolean;
  isPublished: boolean;
  /** The place in the text, if the page was found by its text rather than its name. */
  excerpt?: { before: string; match: string; after: string };
}

/** GET /admin/pages/:id, with `ETag: "VERSION"`; the answer of POST /admin/pages too. */
export interface PageJson extends PageFieldsJson {
  id: number;
  /** 0 for the root. */
  parentId: number;
  /** From the root down: the page's address, below that of the site. */
  path: string;
  /** It is the home page, which visitors find at `/`: its own address leads there. */
  isHome: boolean;
  /**
   * From its root page down to its parent. Below one that is hidden or not published, a page is in no navigation, whatever
   * its own `isHidden`.
   */
  ancestors: { id: number; name: string; urlname: string; isHidden: boolean; isPublished: boolean }[];
  /** Whether visitors can see it. A page that is not published has no address. */
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
  /** The version of the page that it began with: what to publish it with. */
  basedOn: number;
  updatedAt: number;
}

/** 412 */
export interface OutdatedPageJson extends ErrorJson {
  current: PageJson;
}

/** POST /admin/pages: the page comes last among its siblings, and is not published. */
export const createPageInput = v.object({
  name: text,
  /** 0 for the root. */
  parentId: v.optional(integer),
  body: v.optional(text),
  /** The account's editor if not given. */
  bodyFormat: v.optional(bodyFormat),
  description: v.optional(v.nullable(text)),
  isHidden: v.optional(flag),
});
export type CreatePageInput = v.InferInput<typeof createPageInput>;

/**
 * PATCH /admin/pages/:id {...fields}, If-Match required (428 without). With `preview`, and then without If-Match, changes
 * nothing and tells what it would.
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
  /** Among the new siblings, counted from 1; the last if not given. */
  position: v.optional(integer),
  /** Only reports what the change would do. */
  preview: v.optional(flag),
});
export type MovePageInput = v.InferInput<typeof movePageInput>;

/** Part of what a change has done that may make another page the home page. */
export interface HomeChangeJson {
  /** Set if the home page changed: its name, or null if no root page is visible any more. */
  home?: string | null;
}

/** The effect of a change: PATCH, move, publish, restore. A move with `preview`: only `changedAddresses`. */
export interface PageChangeJson extends HomeChangeJson {
  /** How many pages have another address now. The old addresses of published pages lead there. */
  changedAddresses: number;
  /** The id for POST /admin/undo/:id, valid for 30 days; null if nothing changed. */
  undo: number | null;
  /** The page as it is now. */
  page: PageJson;
}

/** POST /admin/pages/:id/duplicate: the copy is not published, has nothing below it, and comes next after the page. */
export interface DuplicatedPageJson {
  page: PageJson;
}

/** DELETE /admin/pages/:id: with all below it. */
export interface DeletedPageJson extends HomeChangeJson {
  deleted: number;
  undo: number;
}

/** POST /admin/undo/:id: 409 `conflict` when it has been undone already or something is in the way. */
export interface UndoneJson {
  page: PageJson;
  /** The id to undo the undo; null after a deletion. */
  undo: number | null;
}
