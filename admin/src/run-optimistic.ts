import type { QueryKey } from '@tanstack/react-query';
import { showError } from './explain.ts';
import { queryClient } from './queries.ts';

/** Something a person does, of which the result is known before the service answers. */
export interface OptimisticUpdate<T> {
  /** What is told of it: the queries that begin so. Acts about the same go one after the other. */
  readonly about: QueryKey;
  /** Shows the result. Returns how that is taken back. */
  readonly show: () => () => void;
  readonly send: () => Promise<T>;
  readonly onDone?: (answer: T) => void;
  /** It is taken back by then. Otherwise a message in the corner says what to do. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Does it: what comes of it is shown at once, and taken back where the service refuses. What the service has is asked for
 * when nothing more is waiting: any sooner, that would take back what is shown of the rest. It goes on when the screen
 * is left.
 */
export function runOptimistic<T>({ about, show, send, onDone, onError = showError }: OptimisticUpdate<T>): void {
  // What is being told knows nothing of it yet.
  void queryClient.cancelQueries({ queryKey: about, predicate: ({ state }) => state.data !== undefined });
  const takeBack = show();
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: about,
    scope: { id: String(about[0]) },
    mutationFn: send,
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
}

let lastTemporaryId = 0;

/** A number below 0 for what is being made: the service has none for it yet. */
export function temporaryId(): number {
  lastTemporaryId -= 1;
  return lastTemporaryId;
}

interface Item {
  readonly id: number;
}

/** Puts one into a list that the service tells at once, at this place of it. Returns how that is taken back. */
export function addItem<T extends Item>(queryKey: QueryKey, item: T, place: 'first' | 'last'): () => void {
  changeLists(queryKey, (items) => (place === 'first' ? [item, ...items] : [...items, item]));
  return () => changeLists(queryKey, (items) => items.filter(({ id }) => id !== item.id));
}

/** Changes one of a list that the service has told. Returns how that is taken back. */
export function changeItem<T extends Item>(queryKey: QueryKey, item: T, change: Partial<T>): () => void {
  const before = Object.fromEntries(Object.keys(change).map((name) => [name, item[name as keyof T]]));
  const set = (fields: object) =>
    changeLists(queryKey, (items) => items.map((other) => (other.id === item.id ? { ...other, ...fields } : other)));
  set(change);
  return () => set(before);
}

/** Takes one out of a list that the service has told. Returns how it gets back to its place. */
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

/** An answer has one list; one that is told in parts has one in each. */
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
