import { useEffect, useRef, useState } from 'react';

/** Keeps what was written on the way visible. */
const SETTLE_MS = 1000;

/**
 * What is to be shown, or what was shown when somebody went to look at it: no frame of a preview tells how far it is
 * scrolled, so another one in its place would take it from under the pointer. It comes when that leaves.
 */
export function useFreezeOnHover<T>(value: T) {
  const [held, setHeld] = useState<{ readonly value: T }>();
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    shown: held ? held.value : value,
    isHeld: held !== undefined,
    /** Whether there is something new by now. */
    isWaiting: held !== undefined && JSON.stringify(held.value) !== JSON.stringify(value),
    handlers: {
      onMouseEnter: () => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setHeld({ value: latest.current }), SETTLE_MS);
      },
      onMouseLeave: () => {
        clearTimeout(timer.current);
        setHeld(undefined);
      },
    },
  };
}
