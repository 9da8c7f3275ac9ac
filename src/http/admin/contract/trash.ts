import * as v from 'valibot';
import { integer, oneOf, text, wholeNumber } from '../schema.ts';
import type { RefusedJson } from './common.ts';
import type { MediaJson } from './media.ts';
import type { HomeChangeJson, PageJson } from './pages.ts';

/* The trash: pages and images that were deleted in the last 30 days. A restored page keeps its id. */

/** GET /admin/trash/pages?before=UNDO: 50 deletions, the latest first; with `page`, only the deletion that includes this page. */
export const deletionsQuery = v.object({ before: v.optional(wholeNumber), page: v.optional(wholeNumber) });

export interface DeletionsJson {
  deletions: DeletionJson[];
  hasMore: boolean;
  /** How many deletions there are, up to 1,000. */
  total: number;
  isTotalExact: boolean;
}

/** The deletion of a page with its descendants. */
export interface DeletionJson {
  /** The id of the page. */
  id: number;
  /** The id for POST /admin/undo/:id. The list is ordered by it. */
  undo: number;
  name: string;
  urlname: string;
  /** How many pages were deleted, the page itself included. */
  pages: number;
  /** The former parent; null for a root page. Its name is null if the parent was deleted for good. */
  parent: { name: string | null; isDeleted: boolean } | null;
  deletedAt: number;
  deletedBy: string;
  expiresAt: number;
  /** In a search: up to five matching descendants. */
  found?: { id: number; name: string }[];
}

/** GET /admin/trash/pages/search?q=TEXT and GET /admin/trash/images/search?q=TEXT */
export const trashSearchQuery = v.object({ q: v.optional(text, '') });

/** The latest 50 deletions with a page that has the text in its name. */
export interface DeletionSearchJson {
  deletions: DeletionJson[];
  /** True if more deletions match. */
  hasMore: boolean;
}

/** GET /admin/trash/pages/:id/children?after=POSITION: 100 children that were deleted with their parent, in order. */
export const deletedChildrenQuery = v.object({ after: v.optional(wholeNumber, '0') });

export interface DeletedChildrenJson {
  pages: { id: number; name: string; position: number; hasChildren: boolean }[];
  hasMore: boolean;
}

/** POST /admin/trash/pages/:id/restore restores the page and the descendants deleted with it. Its ancestors stay in the trash. */
export interface RestoredPageJson extends HomeChangeJson {
  page: PageJson;
  /** How many pages were restored. */
  pages: number;
  /** True if the page has another parent than before, because the former one does not exist or is too deep by now. */
  isElsewhere: boolean;
  /** True if the urlname got a number, because another page has it by now. */
  hasNewUrlname: boolean;
  /** How many pages got a number in their names, because other pages have these names by now. */
  renamed: number;
}

/** DELETE /admin/trash/pages/:id deletes for good; DELETE /admin/trash/pages?upTo=UNDO, all deletions up to this one. */
export interface DiscardedJson {
  discarded: number;
}

/**
 * POST /admin/trash/pages/changes and POST /admin/trash/images/changes change up to 50 pages or images like the routes for a
 * single one. `delete` moves restored ones back to the trash.
 */
export const trashChangesInput = v.object({
  kind: oneOf(['restore', 'discard', 'delete'] as const),
  ids: v.array(integer, 'must be a list'),
});
export type TrashChangesInput = v.InferInput<typeof trashChangesInput>;

/** The results, in the order of the ids. If there are fewer results than ids, the rest was not tried. */
export interface TrashChangesJson {
  results: TrashResultJson[];
}

/** The result of one change: how many pages or images it changed, or why it was refused. */
export type TrashResultJson = ({ id: number; count: number } & Partial<Omit<RestoredPageJson, 'page'>>) | RefusedJson;

export const emptyTrashQuery = v.object({ upTo: wholeNumber });

/** GET /admin/trash/images?removedAt=&id=: the next 50 images after the image with this time and id, the latest first. */
export const removedMediaQuery = v.object({ removedAt: v.optional(wholeNumber), id: v.optional(wholeNumber) });

/** Images in the trash. For a search, the latest 50 with the text in their names or descriptions. */
export interface RemovedMediaListJson {
  images: TrashedMediaJson[];
  hasMore: boolean;
}

/**
 * An image in the trash. POST /admin/media/:id/restore restores it. DELETE /admin/trash/images/:id deletes it for good;
 * DELETE /admin/trash/images?upTo=TIME does so for all images that were deleted until that time.
 */
export interface TrashedMediaJson extends MediaJson {
  deletedAt: number;
  deletedBy: string | null;
  expiresAt: number;
}

/** GET /admin/pages/:id/subtree: the number of pages that deleting the page would delete, the page itself included. */
export interface SubtreeJson {
  pages: number;
}
