import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { DeletionJson, DeletionsJson, TrashedMediaJson } from '../contract.ts';
import { queryClient } from '../queries.ts';
import { removeItem, runOptimistic } from '../run-optimistic.ts';
import { runOptimisticWithUndo } from '../run-optimistic-with-undo.ts';
import { strings } from '../strings.ts';
import { type Several, TRASH } from './trash-several.ts';
import { refreshPages } from './tree-data.ts';

const words = strings.trash;

/* Queries for the trash, and the actions in it. */

const PAGES = [...TRASH, 'pages'] as const;
const IMAGES = [...TRASH, 'images'] as const;

/** Loads the deletions of pages, or with `page` only the one that contains this page. */
export function useDeletions(page: number | undefined) {
  return useInfiniteQuery({
    queryKey: page === undefined ? PAGES : [...PAGES, page],
    queryFn: ({ pageParam }) => api.deletions(pageParam, page),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ deletions, hasMore }) => (hasMore ? deletions.at(-1)?.undo : undefined),
    staleTime: 0,
  });
}

/** Finds deletions of pages by name. The answer is a single list without further pages. */
export function useFoundDeletions(text: string) {
  return useQuery({
    queryKey: [...PAGES, 'search', text],
    queryFn: ({ signal }) => api.searchTrash(text, signal),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    staleTime: 0,
  });
}

/** Loads the pages that were deleted together with a page, in order. */
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

/** Finds images in the trash by name or description. */
export function useFoundMedia(text: string) {
  return useQuery({
    queryKey: [...IMAGES, 'search', text],
    queryFn: ({ signal }) => api.searchRemovedMedia(text, signal),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    staleTime: 0,
  });
}

/** Reloads the trash after an item was deleted, or restored elsewhere. */
export function refreshTrash(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: TRASH });
}

/** Restores a page and the pages below it. `deletion` is undefined for a page below the deleted one. */
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

/** Changes several pages in the trash, each with the pages below it. */
export const severalPages: Several<DeletionJson> = {
  hide,
  send: api.changePageTrash,
  refresh: () => void refreshPages(),
};

/** Changes several images in the trash. */
export const severalImages: Several<TrashedMediaJson> = {
  hide: hideImage,
  send: api.changeImageTrash,
  refresh: refreshMedia,
};

/** Deletes a page and the pages below it for good. */
export function discardPage(deletion: DeletionJson): void {
  runOptimistic({ about: TRASH, show: () => hide(deletion), send: () => api.discardPage(deletion.id) });
}

/** Deletes all pages in the trash for good, up to the latest deletion that the user has seen. */
export function emptyPageTrash(upTo: number): void {
  runOptimistic({
    about: TRASH,
    show: () => {
      const before = queryClient.getQueryData(PAGES);
      queryClient.setQueryData(PAGES, singlePage({ deletions: [], hasMore: false, total: 0, isTotalExact: true }));
      return () => queryClient.setQueryData(PAGES, before);
    },
    send: () => api.emptyPageTrash(upTo),
  });
}

export function restoreImage(image: TrashedMediaJson): void {
  const called = image.alt || image.name;
  runOptimisticWithUndo({
    about: TRASH,
    show: () => hideImage(image),
    send: () => api.restoreMedia(image.id),
    onDone: refreshMedia,
    done: () => strings.editor.imageDialog.restored(called),
    sendBack: () => api.removeMedia(image.id),
    onUndone: refreshMedia,
    undone: words.backInTrash(called),
  });
}

export function discardImage(image: TrashedMediaJson): void {
  runOptimistic({ about: TRASH, show: () => hideImage(image), send: () => api.discardMedia(image.id) });
}

export function emptyImageTrash(upTo: number): void {
  runOptimistic({
    about: TRASH,
    show: () => {
      const before = queryClient.getQueryData(IMAGES);
      queryClient.setQueryData(IMAGES, singlePage({ images: [], hasMore: false }));
      return () => queryClient.setQueryData(IMAGES, before);
    },
    send: () => api.emptyMediaTrash(upTo),
  });
}

function refreshMedia(): void {
  void queryClient.invalidateQueries({ queryKey: ['media'] });
}

/** Removes a deletion from the cached lists, and from their totals. */
function hide(deletion: DeletionJson): () => void {
  const count = (by: 1 | -1) =>
    queryClient.setQueryData<InfiniteData<DeletionsJson>>(
      PAGES,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, total: page.total + by })) },
    );
  const showAgain = hideIn(PAGES, deletion);
  count(-1);
  return () => {
    showAgain();
    count(1);
  };
}

function hideImage(image: TrashedMediaJson): () => void {
  return hideIn(IMAGES, image);
}

/** Removes an item from each cached list whose key starts with the prefix. */
function hideIn(prefix: readonly string[], item: { readonly id: number }): () => void {
  const lists = queryClient.getQueryCache().findAll({ queryKey: prefix });
  const back = lists.map(({ queryKey }) => removeItem(queryKey, item));
  return () => {
    for (const show of back) show();
  };
}

function singlePage<T>(page: T): InfiniteData<T> {
  return { pages: [page], pageParams: [undefined] };
}
