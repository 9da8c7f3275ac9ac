import { useEffect } from 'react';

/** The state of the history with which one comes to a page that has just been created. */
export const NEW_PAGE = 'new page';

/** Puts the cursor into the text of a new page as soon as its editor is there, unless the person has gone somewhere else. */
export function useFocusOnNew(isReady: boolean, editor: unknown, focus: () => void): void {
  useEffect(() => {
    const at = document.activeElement;
    // Arriving at a screen, one is at its heading.
    if (isReady && (at === document.body || at?.matches('h1'))) focus();
  }, [isReady, editor]);
}
