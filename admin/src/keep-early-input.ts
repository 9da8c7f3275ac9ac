const kinds = ['form', 'input', 'button'] as const;

/** The input of a person before the app takes the page over. */
export interface EarlyInput {
  /** Puts what was written into the elements that the app has built anew, marks their forms, and focuses the same field. */
  keep(): void;
  /** Returns the element that stands in the place of an earlier one: the same one, unless it was built anew. */
  find(before: HTMLElement): HTMLElement | undefined;
}

/**
 * Notes the fields, forms and buttons of the page. Browser extensions put elements of their own among them: password managers
 * do so beside every field. React cannot hydrate such a page and builds it anew, without what was written.
 */
export function noteEarlyInput(root: HTMLElement): EarlyInput {
  const elements = (kind: string) => [...root.querySelectorAll<HTMLElement>(kind)];
  const before = new Map(kinds.map((kind) => [kind, elements(kind)]));
  const focused = document.activeElement as HTMLElement | null;
  const find = (element: HTMLElement) => {
    if (element.isConnected) return element;
    const kind = element.localName as (typeof kinds)[number];
    return elements(kind)[before.get(kind)?.indexOf(element) ?? -1];
  };
  const keep = () => {
    for (const element of [...before.values()].flat()) {
      const after = find(element);
      if (!after || after === element) continue;
      if (element.dataset.submitted !== undefined) after.dataset.submitted = '';
      if (element instanceof HTMLInputElement) (after as HTMLInputElement).value = element.value;
    }
    if (focused && !focused.isConnected) find(focused)?.focus();
  };
  return { keep, find };
}
