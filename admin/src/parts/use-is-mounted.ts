import { type RefObject, useEffect, useRef } from 'react';

/** Returns a ref that tells whether the component is still on the screen, for answers that come later. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
