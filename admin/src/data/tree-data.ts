import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api } from '../api.ts';
import type { PageChildrenJson, PageJson, TreePageJson } from '../contract.ts';
import { queryClient } from '../queries.ts';

/* The page tree as far as it has been loaded: the first children of each opened page, in order. */

/** A page's id, or 0 for the root. */
export type ParentId = number;

export const ROOT: ParentId = 0;

/** The key prefix of all queries for pages. */
export const PAGES = ['pages'] as const;

const keyOf = (parent: ParentId) => [...PAGES, 'children', parent] as const;

/** Returns the children of these parents, and loads those that are missing. */
export function useChildren(parents: readonly ParentId[]) {
  const client = useQueryClient();
  const results = useQueries({
    queries: parents.map((parent) => ({ queryKey: keyOf(parent), queryFn: () => reloadChildren(parent) })),
  });
  // useQueries returns new result objects with each render, so the data are compared.
  const children = useMemo(
    () => new Map(parents.flatMap((parent, index) => (results[index]?.data ? [[parent, results[index].data]] : []))),
    [parents, ...results.map(({ data }) => data)],
  );
  const loadMore = useCallback(
    async (parent: ParentId) => {
      const known = client.getQueryData<PageChildrenJson>(keyOf(parent));
      const last = known?.pages.at(-1);
      if (!known || !last || known.pages.length >= known.total) return;
      const next = await api.children(parent, last.position);
      client.setQueryData<PageChildrenJson>(keyOf(parent), (now) =>
        now?.pages.at(-1)?.id === last.id ? { pages: [...now.pages, ...next.pages], total: next.total } : now,
      );
    },
    [client],
  );
  const failed = results.find(({ error, data }) => error && !data);
  return { children, loadMore, error: failed?.error, retry: failed?.refetch };
}

/** The most pages in one answer of the service, and the number that scrolling loads. */
const MAX_PAGE_SIZE = 2000;
const PAGE_SIZE = 200;

/** Loads as many children as were loaded before, because the user may have scrolled far down. */
async function reloadChildren(parent: ParentId): Promise<PageChildrenJson> {
  const wanted = childrenOf(parent).length;
  const next = (after: number, missing: number) =>
    api.children(parent, after, Math.min(MAX_PAGE_SIZE, Math.ceil(Math.max(1, missing) / PAGE_SIZE) * PAGE_SIZE));
  let list = await next(0, wanted);
  while (list.pages.length < Math.min(wanted, list.total)) {
    const { pages, total } = await next(list.pages.at(-1)!.position, wanted - list.pages.length);
    // Another user may change the list meanwhile. Pages inserted above are loaded the next time.
    if (pages.length === 0) break;
    list = { pages: [...list.pages, ...pages], total };
  }
  return list;
}

export function childrenOf(parent: ParentId): readonly TreePageJson[] {
  return queryClient.getQueryData<PageChildrenJson>(keyOf(parent))?.pages ?? [];
}

export function areAllLoaded(parent: ParentId): boolean {
  const list = queryClient.getQueryData<PageChildrenJson>(keyOf(parent));
  return list !== undefined && list.pages.length === list.total;
}

/** Records that a page has no children, without asking the service. */
export function recordNoChildren(parent: ParentId): void {
  queryClient.setQueryData<PageChildrenJson>(keyOf(parent), (list) => list ?? { pages: [], total: 0 });
}

/** Changes the cached children of a page, and renumbers their positions. */
export function changeChildren(parent: ParentId, change: (pages: readonly TreePageJson[]) => TreePageJson[]): void {
  queryClient.setQueryData<PageChildrenJson>(keyOf(parent), (list) => {
    if (!list) return list;
    const pages = change(list.pages).map((page, index) => ({ ...page, position: index + 1 }));
    return { pages, total: list.total + pages.length - list.pages.length };
  });
}

export function changePage(parent: ParentId, id: number, change: Partial<TreePageJson>): void {
  changeChildren(parent, (pages) => pages.map((page) => (page.id === id ? { ...page, ...change } : page)));
}

/** Updates a page in every cached list, so that it does not change before the user's eyes later. */
export function updateCachedPage({ id, parentId, name, urlname, isHidden, isPublished, version }: PageJson): void {
  changePage(parentId, id, { name, urlname, isHidden, isPublished, version });
}

/** Updates in every cached list whether a page has a draft. */
export function markDraft({ id, parentId }: PageJson, hasDraft: boolean): void {
  const page = childrenOf(parentId).find((one) => one.id === id);
  if (page && page.hasDraft !== hasDraft) changePage(parentId, id, { hasDraft });
}

/** Reloads all lists of pages. */
export function refreshPages(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: PAGES });
}
