const kinds = ['form', 'input', 'button'] as const;

/** The user's input before React hydrates the page. */
interface EarlyInput {
  /** Copies the input to the elements if React has rebuilt them: field values, submitted forms and the focus. */
  keep(): void;
  /** Returns the element that replaces an earlier one, or the earlier one itself if it was not rebuilt. */
  find(before: HTMLElement): HTMLElement | undefined;
}

/**
 * Records the page's fields, forms and buttons. Browser extensions such as password managers insert elements beside fields.
 * React cannot hydrate such a page and rebuilds it, which would lose the input.
 */
export function recordEarlyInput(root: HTMLElement): EarlyInput {
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
