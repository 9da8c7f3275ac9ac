import type { QueryKey } from '@tanstack/react-query';
import { showDone, showUndo } from './parts/undo.tsx';
import { runOptimistic } from './run-optimistic.ts';

/** An action that can be undone for a while. */
interface UndoableUpdate<T> {
  /** As in `OptimisticUpdate`. */
  readonly about: QueryKey;
  /** Shows the result. Returns a function that takes it back. */
  readonly show: () => () => void;
  readonly send: () => Promise<T>;
  readonly sendBack: () => Promise<unknown>;
  /** The messages for the action and for its undo. */
  readonly done: (answer: T) => string;
  readonly undone: string;
}

/** Runs the action like `runOptimistic`, and offers to undo it, which shows at once, too. */
export function runOptimisticWithUndo<T>({ about, show, send, sendBack, done, undone }: UndoableUpdate<T>): void {
  let back = () => {};
  const showBack = () => {
    back();
    return show;
  };
  runOptimistic({
    about,
    show: () => {
      back = show();
      return back;
    },
    send,
    onDone: (answer) =>
      showUndo(done(answer), () =>
        runOptimistic({ about, show: showBack, send: sendBack, onDone: () => showDone(undone) }),
      ),
  });
}
