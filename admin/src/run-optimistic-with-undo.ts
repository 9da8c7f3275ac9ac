import type { QueryKey } from '@tanstack/react-query';
import { showDone, showUndo } from './parts/undo.tsx';
import { runOptimistic } from './run-optimistic.ts';

/** Something that is done at once, and has a way back that the service keeps open for a while. */
export interface UndoableUpdate<T> {
  /** As in `Act`. */
  readonly about: QueryKey;
  /** Shows the result. Returns how that is taken back. */
  readonly show: () => () => void;
  readonly send: () => Promise<T>;
  readonly sendBack: () => Promise<unknown>;
  /** What is said when it is done, and when it is undone. */
  readonly done: (answer: T) => string;
  readonly undone: string;
}

/** Does it, as `act` does, and offers to undo it: that is shown at once, too. */
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
