/*
 * Reads Word's list items, which are paragraphs that only look like items. The level is in a style, and the bullet or number
 * is text.
 */

interface Item {
  readonly paragraph: HTMLElement;
  readonly level: number;
  readonly list: 'ul' | 'ol';
  /** The item's number, or NaN without one. */
  readonly number: number;
  /** The name of the document's list that the item belongs to. */
  readonly name: string;
}

/** Turns Word's list paragraphs into lists. */
export function convertWordLists(body: HTMLElement): void {
  let run: Item[] = [];
  const end = () => {
    if (run.length > 0) build(run);
    run = [];
  };
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const item = itemOf(paragraph);
    const last = run.at(-1);
    if (!item) continue;
    const follows = last?.paragraph.nextElementSibling === paragraph;
    // Another list name on the first level starts a new list.
    if (last && (!follows || (item.level === 1 && item.name !== run[0]!.name))) end();
    run.push(item);
  }
  end();
}

function itemOf(paragraph: HTMLElement): Item | undefined {
  const style = paragraph.getAttribute('style') ?? '';
  const [, name, level] = /mso-list:\s*(l\d+) level(\d+)/i.exec(style) ?? [];
  if (name === undefined || paragraph.localName !== 'p') return undefined;
  const marker = paragraph.querySelector<HTMLElement>('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]');
  const sign = (marker?.textContent ?? '').replace(/[\s\u00a0]+/g, '');
  marker?.remove();
  const isNumbered = /^\(?(?:\d+|[a-z]|[ivxlc]+)[.)]/i.test(sign) || /^(?:\d+\.)+\d*$/.test(sign);
  // Takes the last number by matching forwards: a pattern anchored at the end would be quadratic in a long marker.
  const number = Number(sign.match(/\d+/g)?.at(-1) ?? Number.NaN);
  return { paragraph, level: Number(level), list: isNumbered ? 'ol' : 'ul', number, name };
}

function build(items: readonly Item[]): void {
  const { ownerDocument: document } = items[0]!.paragraph;
  /** The open lists, from the outermost to the innermost. */
  const open: { element: HTMLElement; level: number; list: string }[] = [];
  for (const { paragraph, level, list, number } of items) {
    while (open.length > 1 && open.at(-1)!.level > level) open.pop();
    let current = open.at(-1);
    const isDeeper = !current || current.level < level;
    const isOther = current && !isDeeper && current.list !== list;
    if (!current || isDeeper || isOther) {
      const element = document.createElement(list);
      if (list === 'ol' && number > 1 && Number.isSafeInteger(number)) element.setAttribute('start', String(number));
      if (current && isDeeper) (current.element.lastElementChild ?? current.element).append(element);
      else if (current) {
        current.element.after(element);
        open.pop();
      } else paragraph.before(element);
      current = { element, level, list };
      open.push(current);
    }
    const item = document.createElement('li');
    current.element.append(item);
    const text = document.createElement('p');
    text.append(...paragraph.childNodes);
    item.append(text);
    paragraph.remove();
  }
}
