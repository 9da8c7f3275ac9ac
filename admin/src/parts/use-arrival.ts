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
    const stop = () => {
      observer.disconnect();
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('pointerdown', stop, true);
    };
    const observer = new MutationObserver(() => focusHeading(element) && stop());
    // Stops once the user presses a key. A repeated key is still the one that led here.
    const onKeyDown = ({ repeat }: KeyboardEvent) => {
      if (!repeat) stop();
    };
    observer.observe(element, { childList: true, subtree: true });
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', stop, true);
    return stop;
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
