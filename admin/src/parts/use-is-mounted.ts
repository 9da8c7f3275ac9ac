import { type RefObject, useEffect, useRef } from 'react';

/** Whether what asks is on the screen still, for what is answered later. */
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
