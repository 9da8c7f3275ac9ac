import { useEffect } from 'react';

/** Lets a closing dialog, the tree or a screen move the focus first. */
const FOCUS_DELAY_MS = 50;

/** How many places are remembered: more than there are sections and dialogs above each other. */
const MAX_STOPS = 10;

const SECTIONS = 'section, [role=dialog], main';

/** A place where the keyboard was, and what was around it, innermost first. */
interface Stop {
  readonly element: Element;
  readonly item: Element | null;
  readonly list: Element | null;
  /** The position of the item in the list, from 0. */
  readonly index: number;
  readonly sections: readonly Element[];
}

/**
 * Restores the focus when the focused element is removed: otherwise Tab would begin at the top of the page, and a screen
 * reader fall silent. The focus goes to the next item of the list, the last one, or the heading of the list. If that is gone,
 * too, as in a dialog, it goes back to the place before. It does not go to the next item's button: a key held a moment too
 * long would remove that as well.
 */
export function useRestoredFocus(): void {
  useEffect(() => {
    let stops: readonly Stop[] = [];
    let timer: ReturnType<typeof setTimeout>;
    const isNowhere = () => document.activeElement === document.body;
    const isLost = () => isNowhere() && stops[0]?.element.isConnected === false;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) stops = withStop(stops, stopAt(target));
    };
    // With the mouse there is no place to lose, unless it presses something that takes the focus.
    const forget = () => {
      stops = [];
    };
    const goOn = () => {
      if (isLost()) stops.some(goOnFrom);
    };
    const observer = new MutationObserver((changes) => {
      clearTimeout(timer);
      if (isLost()) timer = setTimeout(goOn, FOCUS_DELAY_MS);
      // A button that cannot be pressed while it does its work has the keyboard again when that is done.
      const isBack = changes.some(({ type, target }) => type === 'attributes' && target === stops[0]?.element);
      if (isBack && isNowhere()) goOnFrom(stops[0]!);
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    let pressed: EventTarget | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      // The next key may come before the delay is over.
      goOn();
      if (!event.repeat) pressed = event.target;
      // A key that is held presses a button once: the next thing that it could remove is under it by then. Nor does it write
      // lines into the text that has the keyboard when it has closed a dialog.
      else if (event.key === 'Enter' && (buttonAt(event.target) || event.target !== pressed)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    let clicked: Element | undefined;
    const onClick = (event: MouseEvent) => {
      const button = buttonAt(event.target);
      // A second click of a double click was meant for the button that has just gone.
      if (button && event.detail > 1 && button !== clicked) {
        event.preventDefault();
        event.stopPropagation();
      }
      clicked = button;
    };
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('click', onClick, true);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

/** The last place of each section. Those that belong to all screens are none to come back to. */
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

/** False where nothing is left of it. */
function goOnFrom({ element, item, list, index, sections }: Stop): boolean {
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

/** Puts the keyboard there, also where one can read and do nothing: that is no place to stop at once it is left. */
export function focusOn(element: HTMLElement): void {
  const isAdded = element.tabIndex < 0 && !element.hasAttribute('tabindex');
  if (isAdded) element.tabIndex = -1;
  element.focus();
  if (isAdded) element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
}
