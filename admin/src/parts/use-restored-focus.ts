import { useEffect } from 'react';

/** Lets a closing dialog, the tree or a screen move the focus first. */
const FOCUS_DELAY_MS = 50;

/** How many places are remembered: more than sections and dialogs are ever nested. */
const MAX_STOPS = 10;

const SECTIONS = 'section, [role=dialog], main';

/** A place where the focus was, and its surroundings, innermost first. */
interface Stop {
  readonly element: Element;
  readonly item: Element | null;
  readonly list: Element | null;
  /** The item's index in the list. */
  readonly index: number;
  readonly sections: readonly Element[];
}

/**
 * Restores the focus when the focused element is removed. Otherwise, Tab would start at the top of the page, and screen
 * readers would fall silent. Moves the focus to the next item of the list, the last one, or the list's heading. If the list
 * is gone, too, as in a dialog, moves it to the place before. Never focuses the next item's button: a key held too long
 * would remove that item as well.
 */
export function useRestoredFocus(): void {
  useEffect(() => {
    let stops: readonly Stop[] = [];
    let timer: ReturnType<typeof setTimeout>;
    const hasNoFocus = () => document.activeElement === document.body;
    const isLost = () => hasNoFocus() && stops[0]?.element.isConnected === false;
    const recordStop = ({ target }: FocusEvent) => {
      if (target instanceof Element) stops = withStop(stops, stopAt(target));
    };
    // A pointer leaves no focus to restore, unless the pressed element takes the focus.
    const clearStops = () => {
      stops = [];
    };
    const restoreFocus = () => {
      if (isLost()) stops.some(restoreFocusFrom);
    };
    const observer = new MutationObserver((changes) => {
      clearTimeout(timer);
      if (isLost()) timer = setTimeout(restoreFocus, FOCUS_DELAY_MS);
      // Returns the focus to a button that was disabled while its action was running.
      const isBack = changes.some(({ type, target }) => type === 'attributes' && target === stops[0]?.element);
      if (isBack && hasNoFocus()) restoreFocusFrom(stops[0]!);
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', recordStop);
    let pressed: EventTarget | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      // The next key may come before the delay is over.
      restoreFocus();
      if (!event.repeat) pressed = event.target;
      // A held key presses a button only once: by then the next item's button may be under it. Nor does it type line breaks
      // into the text that gets the focus when the key has closed a dialog.
      else if (event.key === 'Enter' && (buttonAt(event.target) || event.target !== pressed)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    let clicked: Element | undefined;
    const onClick = (event: MouseEvent) => {
      const button = buttonAt(event.target);
      // The second click of a double click was meant for the button that has disappeared.
      if (button && event.detail > 1 && button !== clicked) {
        event.preventDefault();
        event.stopPropagation();
      }
      clicked = button;
    };
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('click', onClick, true);
    document.addEventListener('pointerdown', clearStops, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', recordStop);
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('pointerdown', clearStops, true);
    };
  }, []);
}

/** Keeps the last place of each section. Places outside of all sections belong to every screen and are dropped. */
function withStop(stops: readonly Stop[], stop: Stop): readonly Stop[] {
  const others = stops.filter(({ sections: [own] }) => own !== undefined && own !== stop.sections[0]);
  return [stop, ...others].slice(0, MAX_STOPS);
}

function stopAt(element: Element): Stop {
  const item = element.closest('li');
  const list = item?.parentElement ?? null;
  const sections: Element[] = [];
  for (let at = element.closest(SECTIONS); at; at = at.parentElement?.closest(SECTIONS) ?? null) sections.push(at);
  return { element, item, list, index: item && list ? [...list.children].indexOf(item) : -1, sections };
}

/** Returns false if nothing of the place is left. */
function restoreFocusFrom({ element, item, list, index, sections }: Stop): boolean {
  const next = isShown(list) ? (list.children[index] ?? list.lastElementChild) : null;
  const section = sections.find(isShown);
  const heading = [...(section?.querySelectorAll('h1, h2') ?? [])].find(isShown);
  const place = [element, isShown(item) ? item : next, heading, section].find(isShown);
  if (place instanceof HTMLElement) focusOn(place);
  return document.activeElement === place;
}

function buttonAt(target: EventTarget | null): Element | undefined {
  return target instanceof Element ? (target.closest('button') ?? undefined) : undefined;
}

function isShown(element: Element | null | undefined): element is Element {
  return Boolean(element?.isConnected && element.checkVisibility());
}

/** Focuses an element, even one that is not focusable. It gets a temporary tabindex, so that Tab never stops there later. */
export function focusOn(element: HTMLElement): void {
  const isAdded = element.tabIndex < 0 && !element.hasAttribute('tabindex');
  if (isAdded) element.tabIndex = -1;
  element.focus();
  if (isAdded) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
}
