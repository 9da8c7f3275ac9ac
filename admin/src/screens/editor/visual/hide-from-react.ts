/**
 * Hides from React that an element is edited. With each change of the screen, React would walk through the whole text up to the
 * cursor, to put the selection back if it moved the element, which it never does: in 5,000 paragraphs that took 12 ms.
 */
export function hideFromReact(element: HTMLElement): void {
  Object.defineProperty(element, 'contentEditable', { value: 'inherit', configurable: true, writable: true });
}
