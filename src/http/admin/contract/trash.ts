import * as v from 'valibot';
import { integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { RefusedJson } from './common.ts';
import type { MediaJson } from './media.ts';
import type { HomeChangeJson, PageJson } from './pages.ts';

/*
 * The trash: what was deleted in the last 30 days. A page in the trash is named by its id, which it keeps when it is restored.
 */

/** GET /admin/trash/pages?before=UNDO: 50 deletions, the latest first; with `page`, only the one that has this page. */
export const deletionsQuery = v.object({ before: v.optional(wholeNumber), page: v.optional(wholeNumber) });

export interface DeletionsJson {
  deletions: DeletionJson[];
  hasMore: boolean;
  /** How many deletions there are, up to 1,000. */
  total: number;
  isTotalExact: boolean;
}

/** A page that was deleted, with those below it. */
export interface DeletionJson {
  /** The page's. */
  id: number;
  /** The id for POST /admin/undo/:id, by which the list is ordered. */
  undo: number;
  name: string;
  urlname: string;
  /** How many pages there are, itself included. */
  pages: number;
  /** The page that it was in: null for the root. Its name is null if it was deleted for good. */
  parent: { name: string | null; isDeleted: boolean } | null;
  deletedAt: number;
  deletedBy: string;
  expiresAt: number;
  /** In a search: the pages below it that were found, at most five. */
  found?: { id: number; name: string }[];
}

/** GET /admin/trash/pages/search?q=TEXT, and the same for images. */
export const trashSearchQuery = v.object({ q: v.optional(text, '') });

/** The latest 50 deletions of pages with the text in their names. */
export interface DeletionSearchJson {
  deletions: DeletionJson[];
  /** Whether more were found than these. */
  hasMore: boolean;
}

/** GET /admin/trash/pages/:id/children?after=POSITION: 100 of the pages that were deleted with their parent, in order. */
export const deletedChildrenQuery = v.object({ after: v.optional(wholeNumber, '0') });

export interface DeletedChildrenJson {
  pages: { id: number; name: string; position: number; hasChildren: boolean }[];
  hasMore: boolean;
}

/** POST /admin/trash/pages/:id/restore: with the pages below it that were deleted with it; those above stay in the trash. */
export interface RestoredPageJson extends HomeChangeJson {
  page: PageJson;
  /** How many pages were restored. */
  pages: number;
  /** It is below another page than before, or at the root: its parent is not there, or is too deep by now. */
  isElsewhere: boolean;
  /** Another page has its urlname, so that it got a number. */
  hasNewUrlname: boolean;
  /** How many pages got a number in their names, since others have these names. */
  renamed: number;
}

/** DELETE /admin/trash/pages/:id: for good. DELETE /admin/trash/pages?upTo=UNDO: the deletions up to this one. */
export interface DiscardedJson {
  discarded: number;
}

/**
 * POST /admin/trash/pages/changes and POST /admin/trash/images/changes: what the calls for one page or image do, for 50 at
 * most. `delete` moves them into the trash again.
 */
export const trashChangesInput = v.object({
  kind: oneOf(['restore', 'discard', 'delete'] as const),
  ids: v.array(integer, 'must be a list'),
});
export type TrashChangesInput = v.InferInput<typeof trashChangesInput>;

/** The results of the changes in their order. If there are fewer than ids, the rest was not tried. */
export interface TrashChangesJson {
  results: TrashResultJson[];
}

/** How many pages or images one change was for, or why it was refused. */
export type TrashResultJson = ({ id: number; count: number } & Partial<Omit<RestoredPageJson, 'page'>>) | RefusedJson;

export const emptyTrashQuery = v.object({ upTo: wholeNumber });

/** GET /admin/trash/images?removedAt=&id=: 50, the latest first, after the image with this time and id. */
export const removedMediaQuery = v.object({ removedAt: v.optional(wholeNumber), id: v.optional(wholeNumber) });

/** For a search: the latest 50 with the text in their names or descriptions. */
export interface RemovedMediaListJson {
  images: TrashedMediaJson[];
  hasMore: boolean;
}

/**
 * An image in the trash: POST /admin/media/:id/restore restores it. DELETE /admin/trash/images/:id deletes it for good, and DELETE
 * /admin/trash/images?upTo=TIME those that were deleted until then.
 */
export interface TrashedMediaJson extends MediaJson {
  deletedAt: number;
  deletedBy: string | null;
  expiresAt: number;
}

/** GET /admin/pages/:id/subtree: how many pages are deleted with the page, itself included. */
export interface SubtreeJson {
  pages: number;
}
