import type { QueryKey } from '@tanstack/react-query';
import { isClosing } from './closing.ts';
import { showError } from './explain.ts';
import { queryClient } from './queries.ts';

/** An action whose result is known before the service responds. */
export interface OptimisticUpdate<T> {
  /** The key prefix of the queries that the action affects. Actions with the same prefix run one after the other. */
  readonly about: QueryKey;
  /** Shows the result. Returns a function that reverts this. */
  readonly show: () => () => void;
  readonly send: () => Promise<T>;
  readonly onDone?: (answer: T) => void;
  /** Called after the result was reverted. By default, shows a message in the corner. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Shows the result at once, sends the change, and reverts the result if the service refuses. Reloads the affected queries
 * when no more actions are waiting: earlier, that would hide the results of the others. Continues after the user leaves the
 * screen.
 */
export function runOptimistic<T>({ about, show, send, onDone, onError = showError }: OptimisticUpdate<T>): void {
  // Responses that are on their way do not include the change yet.
  void queryClient.cancelQueries({ queryKey: about, predicate: ({ state }) => state.data !== undefined });
  const revert = show();
  const call = () => send();
  unsent.add(call);
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: about,
    scope: { id: String(about[0]) },
    mutationFn: () => (unsent.delete(call) ? call() : new Promise<never>(() => {})),
    onSuccess: (answer) => onDone?.(answer),
    onError: (error) => {
      revert();
      onError(error);
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: about }) <= 1) void queryClient.invalidateQueries({ queryKey: about });
    },
  });
  mutation.execute(undefined).catch(() => {});
  if (isClosing()) sendUnsent();
}

/** The requests of changes that are shown but not sent yet. */
const unsent = new Set<() => Promise<unknown>>();

/** Sends all waiting changes at once. Call this when the tab is closed, or they would never be sent. */
export function sendUnsent(): void {
  for (const call of unsent) call().catch(() => {});
  unsent.clear();
}

let lastTemporaryId = 0;

/** Returns a temporary negative id for a new item, until the service assigns one. */
export function temporaryId(): number {
  lastTemporaryId -= 1;
  return lastTemporaryId;
}

interface Item {
  readonly id: number;
}

/** Adds an item to a cached list at the given end. Returns a function that reverts this. */
export function addItem<T extends Item>(queryKey: QueryKey, item: T, place: 'first' | 'last'): () => void {
  changeLists(queryKey, (items) => (place === 'first' ? [item, ...items] : [...items, item]));
  return () => changeLists(queryKey, (items) => items.filter(({ id }) => id !== item.id));
}

/** Changes an item of a cached list. Returns a function that reverts this. */
export function changeItem<T extends Item>(queryKey: QueryKey, item: T, change: Partial<T>): () => void {
  const before = Object.fromEntries(Object.keys(change).map((name) => [name, item[name as keyof T]]));
  const set = (fields: object) =>
    changeLists(queryKey, (items) => items.map((other) => (other.id === item.id ? { ...other, ...fields } : other)));
  set(change);
  return () => set(before);
}

/** Removes an item from a cached list. Returns a function that puts it back in its place. */
export function removeItem(queryKey: QueryKey, { id }: Item): () => void {
  let removed: Item | undefined;
  let above: number | undefined;
  changeLists(queryKey, (items) => {
    const index = items.findIndex((item) => item.id === id);
    if (index === -1) return items;
    removed = items[index];
    above = items[index - 1]?.id;
    return items.toSpliced(index, 1);
  });
  return () => {
    let isBack = removed === undefined;
    changeLists(queryKey, (items) => {
      const index = items.findIndex((item) => item.id === above);
      if (isBack || (above !== undefined && index === -1) || items.some((item) => item.id === id)) return items;
      isBack = true;
      return items.toSpliced(index + 1, 0, removed!);
    });
  };
}

/** Moves an item of a cached list to the place of another. Returns a function that moves it back. */
export function moveItem(queryKey: QueryKey, { id }: Item, place: Item): () => void {
  let before = 0;
  const put = (to: (items: readonly Item[], from: number) => number) =>
    changeLists(queryKey, (items) => {
      const from = items.findIndex((item) => item.id === id);
      return from === -1 ? items : items.toSpliced(from, 1).toSpliced(to(items, from), 0, items[from]!);
    });
  put((items, from) => {
    before = from;
    return items.findIndex((item) => item.id === place.id);
  });
  return () => put(() => before);
}

/** Changes the list in a cached response, or the list in each page of an infinite query. */
function changeLists(queryKey: QueryKey, change: (items: readonly Item[]) => readonly Item[]): void {
  const inAnswer = (answer: object) =>
    Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? change(value) : value]),
    );
  queryClient.setQueryData<object>(queryKey, (data) => {
    if (!data) return data;
    return 'pageParams' in data && 'pages' in data
      ? { ...data, pages: (data.pages as object[]).map(inAnswer) }
      : inAnswer(data);
  });
}
