import type { QueryKey } from '@tanstack/react-query';
import { isClosing } from './closing.ts';
import { showError } from './explain.ts';
import { queryClient } from './queries.ts';

/** An action whose result is known before the service responds. */
export interface OptimisticUpdate<T> {
  /** The key prefix of the queries that it affects. Updates with the same prefix run one after the other. */
  readonly about: QueryKey;
  /** Shows the result. Returns a function that takes it back. */
  readonly show: () => () => void;
  readonly send: () => Promise<T>;
  readonly onDone?: (answer: T) => void;
  /** Called after the result was taken back; by default it shows a message in the corner. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Shows the result at once, sends the change, and takes the result back if the service refuses. The affected queries
 * are reloaded when no more updates are waiting: earlier, that would hide the results of the others. It continues when
 * the screen is left.
 */
export function runOptimistic<T>({ about, show, send, onDone, onError = showError }: OptimisticUpdate<T>): void {
  // Responses that are under way do not know the change yet.
  void queryClient.cancelQueries({ queryKey: about, predicate: ({ state }) => state.data !== undefined });
  const takeBack = show();
  const call = () => send();
  unsent.add(call);
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: about,
    scope: { id: String(about[0]) },
    mutationFn: () => (unsent.delete(call) ? call() : new Promise<never>(() => {})),
    onSuccess: (answer) => onDone?.(answer),
    onError: (error) => {
      takeBack();
      onError(error);
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: about }) <= 1) void queryClient.invalidateQueries({ queryKey: about });
    },
  });
  mutation.execute(undefined).catch(() => {});
  if (isClosing()) sendUnsent();
}

/** The requests of changes that are shown and not sent yet. */
const unsent = new Set<() => Promise<unknown>>();

/** Sends the changes that wait for others at once. To be called when the tab is closed: they would never be sent. */
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

/** Adds an item to a cached list at the given place. Returns a function that takes it back. */
export function addItem<T extends Item>(queryKey: QueryKey, item: T, place: 'first' | 'last'): () => void {
  changeLists(queryKey, (items) => (place === 'first' ? [item, ...items] : [...items, item]));
  return () => changeLists(queryKey, (items) => items.filter(({ id }) => id !== item.id));
}

/** Changes an item of a cached list. Returns a function that takes it back. */
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

/** A response has one list; an infinite query has one in each page. */
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
