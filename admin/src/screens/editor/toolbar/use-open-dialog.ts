import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Holds which dialog of an editor is open. `close` is synchronous: a closing dialog returns the focus to its button a moment
 * later, unless the focus has moved to the text by then.
 */
export function useOpenDialog() {
  const [asking, ask] = useState<'link' | 'image' | 'embed'>();
  const close = () => flushSync(() => ask(undefined));
  /** Returns a handler that closes the dialog before it applies the answer. */
  const answer =
    <Answer extends unknown[]>(act: (...answer: Answer) => void) =>
    (...given: Answer) => {
      close();
      act(...given);
    };
  return { asking, ask, close, answer };
}
