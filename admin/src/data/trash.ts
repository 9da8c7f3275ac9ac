import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { DeletionJson, DeletionsJson, TrashedMediaJson } from '../contract.ts';
import { showError } from '../explain.ts';
import { queryClient } from '../queries.ts';
import { removeItem, runOptimistic } from '../run-optimistic.ts';
import { runOptimisticWithUndo } from '../run-optimistic-with-undo.ts';
import { strings } from '../strings.ts';
import { refreshPages } from './tree-data.ts';

const words = strings.trash;

/* What the trash has, as far as it was asked for, and what can be done with it. */

/** The prefix of the keys of all queries for the trash. */
const TRASH = ['trash'] as const;
const PAGES = [...TRASH, 'pages'] as const;
const IMAGES = [...TRASH, 'images'] as const;

/** Loads the deletions of pages; with `page`, only the one that has this page. */
export function useDeletions(page: number | undefined) {
  return useInfiniteQuery({
    queryKey: page === undefined ? PAGES : [...PAGES, page],
    queryFn: ({ pageParam }) => api.deletions(pageParam, page),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ deletions, hasMore }) => (hasMore ? deletions.at(-1)?.undo : undefined),
    staleTime: 0,
  });
}

/** Loads the pages that were deleted with a page, in order. */
export function useDeletedChildren(id: number) {
  return useInfiniteQuery({
    queryKey: [...PAGES, 'children', id],
    queryFn: ({ pageParam }) => api.deletedChildren(id, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ pages, hasMore }) => (hasMore ? pages.at(-1)?.position : undefined),
    staleTime: 0,
  });
}

/** Loads the images in the trash. */
export function useRemovedMedia() {
  return useInfiniteQuery({
    queryKey: IMAGES,
    queryFn: ({ pageParam }) => api.removedMedia(pageParam),
    initialPageParam: undefined as TrashedMediaJson | undefined,
    getNextPageParam: ({ images, hasMore }) => (hasMore ? images.at(-1) : undefined),
    staleTime: 0,
  });
}

/** Reloads the trash wherever it is shown: something was deleted, or restored elsewhere. */
export function refreshTrash(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: TRASH });
}

/** Restores a page with those below it. `deletion` is undefined for a page below the one that was deleted. */
export function restorePage({ id, name }: { id: number; name: string }, deletion: DeletionJson | undefined): void {
  runOptimisticWithUndo({
    about: TRASH,
    show: () => (deletion ? hide(deletion) : () => {}),
    send: () => api.restorePage(id),
    onDone: () => void refreshPages(),
    done: (restored) => words.restored(name, restored) + strings.pages.home(restored.home),
    sendBack: () => api.deletePage(id),
    later: () => ({ call: 'deletePage', id }),
    showBack: () => () => {},
    onUndone: () => void refreshPages(),
    undone: words.backInTrash(name),
  });
}

/** Restores several pages, the last deleted first, with those below them. */
export function restorePages(deletions: readonly DeletionJson[]): void {
  restoreSeveral(deletions, {
    hide,
    restore: ({ id }) => api.restorePage(id),
    remove: ({ id }) => api.deletePage(id),
    refresh: () => void refreshPages(),
  });
}

/** Deletes several pages, and those below them, for good. */
export function discardPages(deletions: readonly DeletionJson[]): void {
  discardSeveral(deletions, hide, ({ id }) => api.discardPage(id));
}

/** Deletes a page, and those below it, for good. */
export function discardPage(deletion: DeletionJson): void {
  runOptimistic({ about: TRASH, show: () => hide(deletion), send: () => api.discardPage(deletion.id) });
}

/** Deletes all pages in the trash for good, as far as they have been shown. */
export function emptyPageTrash(upTo: number): void {
  runOptimistic({
    about: TRASH,
    show: () => {
      const before = queryClient.getQueryData(PAGES);
      queryClient.setQueryData(PAGES, none({ deletions: [], hasMore: false, total: 0, isTotalExact: true }));
      return () => queryClient.setQueryData(PAGES, before);
    },
    send: () => api.emptyPageTrash(upTo),
  });
}

export function restoreImage(image: TrashedMediaJson): void {
  const called = image.alt || image.name;
  runOptimisticWithUndo({
    about: TRASH,
    show: () => removeItem(IMAGES, image),
    send: () => api.restoreMedia(image.id),
    onDone: refreshMedia,
    done: () => strings.editor.imageDialog.restored(called),
    sendBack: () => api.removeMedia(image.id),
    onUndone: refreshMedia,
    undone: words.backInTrash(called),
  });
}

export function restoreImages(images: readonly TrashedMediaJson[]): void {
  restoreSeveral(images, {
    hide: (image) => removeItem(IMAGES, image),
    restore: ({ id }) => api.restoreMedia(id),
    remove: ({ id }) => api.removeMedia(id),
    refresh: refreshMedia,
  });
}

export function discardImages(images: readonly TrashedMediaJson[]): void {
  discardSeveral(images, (image) => removeItem(IMAGES, image), ({ id }) => api.discardMedia(id));
}

export function discardImage(image: TrashedMediaJson): void {
  runOptimistic({ about: TRASH, show: () => removeItem(IMAGES, image), send: () => api.discardMedia(image.id) });
}

export function emptyImageTrash(upTo: number): void {
  runOptimistic({
    about: TRASH,
    show: () => {
      const before = queryClient.getQueryData(IMAGES);
      queryClient.setQueryData(IMAGES, none({ images: [], hasMore: false }));
      return () => queryClient.setQueryData(IMAGES, before);
    },
    send: () => api.emptyMediaTrash(upTo),
  });
}

interface Restoring<T> {
  readonly hide: (item: T) => () => void;
  readonly restore: (item: T) => Promise<unknown>;
  /** Moves it into the trash again. */
  readonly remove: (item: T) => Promise<unknown>;
  readonly refresh: () => void;
}

function restoreSeveral<T>(items: readonly T[], { hide: hideOne, restore, remove, refresh }: Restoring<T>): void {
  runOptimisticWithUndo({
    about: TRASH,
    show: () => hideAll(items, hideOne),
    send: () => eachInTurn(items, restore),
    onDone: refresh,
    onError: (error) => {
      // The items before the one that failed have been restored.
      refresh();
      showError(error);
    },
    done: () => words.restoredSeveral(items.length),
    sendBack: () => eachInTurn(items.toReversed(), remove),
    showBack: () => () => {},
    onUndone: refresh,
    undone: words.severalBackInTrash(items.length),
  });
}

function discardSeveral<T>(items: readonly T[], hideOne: (item: T) => () => void, discard: (item: T) => Promise<unknown>) {
  runOptimistic({ about: TRASH, show: () => hideAll(items, hideOne), send: () => eachInTurn(items, discard) });
}

/** Hides the items. Returns a function that shows them again. */
function hideAll<T>(items: readonly T[], hideOne: (item: T) => () => void): () => void {
  const back = items.map(hideOne);
  return () => {
    for (const show of back.toReversed()) show();
  };
}

/** Sends one after the other: each changes the same account. */
async function eachInTurn<T>(items: readonly T[], send: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await send(item);
}

function refreshMedia(): void {
  void queryClient.invalidateQueries({ queryKey: ['media'] });
}

/** Removes a deletion from the list, and from the number of all. */
function hide(deletion: DeletionJson): () => void {
  const count = (by: 1 | -1) =>
    queryClient.setQueryData<InfiniteData<DeletionsJson>>(
      PAGES,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, total: page.total + by })) },
    );
  const lists = queryClient.getQueryCache().findAll({ queryKey: PAGES });
  const back = lists.map(({ queryKey }) => removeItem(queryKey, deletion));
  count(-1);
  return () => {
    for (const show of back) show();
    count(1);
  };
}

function none<T>(page: T): InfiniteData<T> {
  return { pages: [page], pageParams: [undefined] };
}
