import { ApiError } from '../api-error.ts';
import type { TrashChangesInput, TrashChangesJson, TrashResultJson } from '../contract.ts';
import { showError } from '../explain.ts';
import { runOptimistic } from '../run-optimistic.ts';
import { runOptimisticWithUndo } from '../run-optimistic-with-undo.ts';
import { strings } from '../strings.ts';
import { type Outcome, runChanges } from './run-changes.ts';

const words = strings.trash;

/** The key prefix of all queries for the trash. */
export const TRASH = ['trash'] as const;

/** How to change several items of one kind in the trash. */
export interface Several<T> {
  /** Hides an item. Returns a function that shows it again. */
  readonly hide: (item: T) => () => void;
  readonly send: (changes: TrashChangesInput) => Promise<TrashChangesJson>;
  /** Reloads the lists outside of the trash. */
  readonly refresh: () => void;
}

interface Item {
  readonly id: number;
}

type Result = Outcome<Exclude<TrashResultJson, { why: unknown }>, Extract<TrashResultJson, { why: unknown }>>;

/** Restores the selected items. Items that the service refuses reappear, and a message says why. */
export function restoreSeveral<T extends Item>(items: readonly T[], { hide, send, refresh }: Several<T>): void {
  runOptimisticWithUndo({
    about: TRASH,
    show: () => hideAll(items, hide),
    send: () => change('restore', items, send),
    onDone: (result) => {
      refresh();
      reportFailed(result, words.notRestored);
    },
    done: ({ done }) => (done.length === 0 ? undefined : words.restoredSeveral(done.length)),
    sendBack: ({ done }) => change('delete', done.toReversed(), send),
    showBack: () => () => {},
    onUndone: (result) => {
      refresh();
      reportFailed(result, words.notDeleted);
    },
    undone: ({ done }) => words.severalBackInTrash(done.length),
  });
}

/** Deletes the selected items for good. */
export function discardSeveral<T extends Item>(items: readonly T[], { hide, send }: Several<T>): void {
  runOptimistic({
    about: TRASH,
    show: () => hideAll(items, hide),
    send: () => change('discard', items, send),
    onDone: (result) => reportFailed(result, words.notDiscarded),
  });
}

/** @throws the failure of the first request, if nothing was changed */
async function change(
  kind: TrashChangesInput['kind'],
  items: readonly Item[],
  send: (changes: TrashChangesInput) => Promise<TrashChangesJson>,
): Promise<Result> {
  const ids = items.map(({ id }) => id);
  const result = await runChanges(ids, { send: (some) => send({ kind, ids: some }) });
  if (result.left === ids.length) throw result.error;
  return result;
}

/** Says how many items were not changed, and why the first of them was not. */
function reportFailed({ done, refused, left, error }: Result, title: (count: number, of: number) => string): void {
  const rest = refused.length + left;
  if (rest === 0) return;
  const [first] = refused;
  const reason = first && new ApiError(409, first.code, '', { fields: first.fields, why: first.why ?? undefined });
  showError(error ?? reason, title(rest, rest + done.length));
}

/** Hides the items. Returns a function that shows them again. */
function hideAll<T>(items: readonly T[], hideOne: (item: T) => () => void): () => void {
  const back = items.map(hideOne);
  return () => {
    for (const show of back.toReversed()) show();
  };
}
