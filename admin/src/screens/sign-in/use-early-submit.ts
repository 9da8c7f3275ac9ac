import { useEffect, useRef } from 'react';

/**
 * Returns the props of a form that may be submitted before the app is ready. The method "dialog" submits nothing: before
 * hydration, before-app/load-app.ts only marks the form. It is sent as soon as the app is ready.
 */
export function useEarlySubmit(isReady: boolean, send: () => void) {
  const ref = useRef<HTMLFormElement>(null);
  const onSubmit = () => {
    if (!isReady) {
      ref.current!.dataset.submitted = '';
      return;
    }
    delete ref.current!.dataset.submitted;
    send();
  };
  useEffect(() => {
    if (isReady && ref.current?.dataset.submitted !== undefined) onSubmit();
  }, [isReady]);
  return { ref, onSubmit, method: 'dialog' };
}
