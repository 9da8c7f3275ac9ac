import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * What an editor asks for in a dialog. It is closed by the time `close` returns: a dialog gives the keyboard back to its
 * button a moment later, unless it is somewhere else by then, and what is done with an answer gives it to the text.
 */
export function useQuestion() {
  const [asking, ask] = useState<'link' | 'image' | 'embed'>();
  return { asking, ask, close: () => flushSync(() => ask(undefined)) };
}
