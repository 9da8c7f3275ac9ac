import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Holds which dialog of an editor is open. `close` closes it synchronously. A closing dialog returns the focus to its button
 * a moment later, unless the focus has moved by then: what is done with an answer moves it to the text.
 */
export function useOpenDialog() {
  const [asking, ask] = useState<'link' | 'image' | 'embed'>();
  const close = () => flushSync(() => ask(undefined));
  /** Closes the dialog before it does something with the answer. */
  const answer =
    <Answer extends unknown[]>(act: (...answer: Answer) => void) =>
    (...given: Answer) => {
      close();
      act(...given);
    };
  return { asking, ask, close, answer };
}
