import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { goTo } from './use-kept-focus.ts';

/**
 * Whoever comes to another screen is at its heading, as they would be in a new document: the keyboard goes on from
 * there, and screen readers say where they are. Screens that load something first have theirs a little later.
 */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const [location] = useLocation();
  const before = useRef(location);
  useEffect(() => {
    const element = main.current;
    if (before.current === location || !element) return;
    before.current = location;
    if (focusHeading(element)) return;
    const observer = new MutationObserver(() => focusHeading(element) && observer.disconnect());
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [location, main]);
}

/** False while there is none. */
function focusHeading(main: HTMLElement): boolean {
  // A field of the new screen that has taken it keeps it, and so does the page of the tree that one comes back to.
  const at = document.activeElement;
  if (main.contains(at) && at?.matches('input, textarea, [role=treeitem]')) return true;
  const heading = [...main.querySelectorAll('h1')].find((element) => element.checkVisibility());
  if (!heading) return false;
  goTo(heading);
  return true;
}
