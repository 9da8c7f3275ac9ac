import { useRef, useState } from 'react';
import { showError } from '../../explain.ts';
import { useIsMounted } from '../../parts/use-is-mounted.ts';

interface Refusable<T> {
  readonly isFree: boolean;
  readonly set: (values: T) => void;
}

/**
 * Handles errors of a form that is emptied before the service answers. `refuse` restores the refused input and sets `error`,
 * or shows a message if the user has started the next entry or left the screen.
 */
export function useRefusal<T>(form: Refusable<T>) {
  const [error, setError] = useState<unknown>();
  const latest = useRef(form);
  latest.current = form;
  const isHere = useIsMounted();
  const refuse = (reason: unknown, values: T, message: string) => {
    const { isFree, set } = latest.current;
    if (isFree) set(values);
    if (isFree && isHere.current) setError(reason);
    else showError(reason, message);
  };
  return { error, accept: () => setError(undefined), refuse };
}
