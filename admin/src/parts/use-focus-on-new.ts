import { useEffect } from 'react';

/** The history state of a page that has just been created. */
export const NEW_PAGE = 'new page';

/** Puts the cursor into the text of a new page once its editor has loaded, unless the user has moved the focus. */
export function useFocusOnNew(isReady: boolean, editor: unknown, focus: () => void): void {
  useEffect(() => {
    const at = document.activeElement;
    // A new screen focuses its heading, so the focus is still there if the user has not moved it.
    if (isReady && (at === document.body || at?.matches('h1'))) focus();
  }, [isReady, editor]);
}
