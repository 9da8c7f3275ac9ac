import { useRef, useState } from 'react';
import { showError } from '../../explain.ts';
import { useIsMounted } from '../../parts/use-is-mounted.ts';

interface Refusable<T> {
  readonly isFree: boolean;
  readonly set: (values: T) => void;
}

/**
 * For a form that is emptied before the service answers: `refuse` puts back what was refused and sets `error`. If the next
 * entry has been begun, or the screen left, it shows a message instead.
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
