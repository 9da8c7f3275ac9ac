import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { focusOn } from './use-restored-focus.ts';

/**
 * Moves the focus to the heading of a new screen, like in a new document: the keyboard continues from there, and screen
 * readers announce it. Some screens load data first, so their heading appears a little later.
 */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const [location] = useLocation();
  const before = useRef(location);
  useEffect(() => {
    const element = main.current;
    if (before.current === location || !element) return;
    before.current = location;
    if (focusHeading(element)) return;
    const end = () => {
      observer.disconnect();
      document.removeEventListener('keydown', goOn, true);
      document.removeEventListener('pointerdown', end, true);
    };
    const observer = new MutationObserver(() => focusHeading(element) && end());
    // Stops once the user presses a key. A repeated key is still the one that led here.
    const goOn = ({ repeat }: KeyboardEvent) => {
      if (!repeat) end();
    };
    observer.observe(element, { childList: true, subtree: true });
    document.addEventListener('keydown', goOn, true);
    document.addEventListener('pointerdown', end, true);
    return end;
  }, [location, main]);
}

/** Returns false while the screen has no heading. */
function focusHeading(main: HTMLElement): boolean {
  // A field of the new screen keeps the focus it has taken, and so does the page in the tree that the user returns to.
  const at = document.activeElement;
  if (main.contains(at) && at?.matches('input, textarea, [role=textbox], [role=treeitem]')) return true;
  const heading = [...main.querySelectorAll('h1')].find((element) => element.checkVisibility());
  if (!heading) return false;
  focusOn(heading);
  return true;
}
