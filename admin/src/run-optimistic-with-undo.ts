import { recordChange, removeChange, type UndoCall } from './data/latest-changes.ts';
import { showDone, showUndo } from './parts/undo.tsx';
import { type OptimisticUpdate, runOptimistic } from './run-optimistic.ts';
import { strings } from './strings.ts';

/** An action that can be undone for a while. */
interface UndoableUpdate<T, U> extends OptimisticUpdate<T> {
  /** Returns the message that offers the undo, or undefined if there is nothing to undo. */
  readonly done: (answer: T) => string | undefined;
  readonly sendBack: (answer: T) => Promise<U>;
  /** Shows the result of the undo, if that is not just the former state. */
  readonly showBack?: (answer: T) => () => void;
  /** Called when the user starts the undo. */
  readonly onUndo?: (answer: T) => void;
  readonly onUndone?: (answer: U) => void;
  /** Returns the call that undoes the action after its message has closed. Undefined if only the message can undo it. */
  readonly later?: (answer: T) => UndoCall;
  /** The message that confirms the undo. */
  readonly undone?: string | ((answer: U) => string);
}

/** Runs an action like `runOptimistic`, and offers to undo it. The undo is optimistic, too. */
export function runOptimisticWithUndo<T, U>(update: UndoableUpdate<T, U>): void {
  const { about, show, onDone, done, sendBack, showBack, onUndo, onUndone, later, undone = strings.undone } = update;
  let revert = () => {};
  const offerUndo = (answer: T, message: string) => {
    const call = later?.(answer);
    if (call) recordChange(message, call);
    showUndo(message, () => {
      if (call) removeChange(call);
      onUndo?.(answer);
      runOptimistic({
        about,
        show: () => {
          if (showBack) return showBack(answer);
          revert();
          return show;
        },
        send: () => sendBack(answer),
        onDone: (answered) => {
          onUndone?.(answered);
          showDone(typeof undone === 'function' ? undone(answered) : undone);
        },
      });
    });
  };
  runOptimistic({
    ...update,
    show: () => {
      revert = show();
      return revert;
    },
    onDone: (answer) => {
      onDone?.(answer);
      const message = done(answer);
      if (message !== undefined) offerUndo(answer, message);
    },
  });
}
