import { useEffect, useRef, useState } from 'react';

/** How long the pointer must stay. While it only crosses the preview, the preview still changes. */
const SETTLE_MS = 1000;

/**
 * Returns the value, or keeps the earlier one while the pointer is over the preview. A frame does not reveal its scroll
 * position, so a new frame would jump under the pointer.
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
    /** True if a newer value is waiting. */
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
