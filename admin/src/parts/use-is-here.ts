import { type RefObject, useEffect, useRef } from 'react';

/** Whether what asks is on the screen still, for what is answered later. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
