import { useEffect, useRef, useState } from 'react';

/** How long the pointer must stay. On its way across, the preview still changes. */
const SETTLE_MS = 1000;

/**
 * Returns the value, or the earlier one for as long as the pointer is over it. The frame of a preview does not tell how far it
 * is scrolled, so a new frame would move under the pointer.
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
