import { type Element, eachElement, isBlank, isElement, type Node } from './node.ts';
import { textOf } from './text.ts';
import { headingNames } from './vocabulary.ts';

export interface Heading {
  level: 1 | 2 | 3;
  id: string;
  text: string;
}

/**
 * Normalizes the levels of headings: h1 only for a title at the very start, and no skipped level. Returns true if there
 * is such a title.
 */
export function levelHeadings(body: Element): boolean {
  const title = firstShown(body.children);
  const hasTitle = isElement(title, 'h1');
  // The open sections: the written and the shown level. The page's name is above all of them.
  const open = [{ written: 0, shown: 1 }];
  eachElement(body, (heading) => {
    if (!headingNames.has(heading.name) || (hasTitle && heading === title)) return;
    const written = Number(heading.name[1]);
    while (open.at(-1)!.written >= written) open.pop();
    const shown = Math.min(open.at(-1)!.shown + 1, 6);
    open.push({ written, shown });
    heading.name = `h${shown}`;
  });
  return hasTitle;
}

/** Returns the headings from h1 to h3 in order. Must run after `assignIds`. */
export function listHeadings(body: Element): Heading[] {
  const headings: Heading[] = [];
  eachElement(body, ({ name, attributes, children }) => {
    const level = /^h([123])$/.exec(name)?.[1];
    if (level)
      headings.push({ level: Number(level) as Heading['level'], id: attributes.id!, text: headingText(children) });
  });
  return headings;
}

/** Returns the heading's text, or the texts of its images if it has no text itself. */
export function headingText(nodes: readonly Node[]): string {
  return textOf(nodes) || imageTexts(nodes).join(' ');
}

function imageTexts(nodes: readonly Node[]): string[] {
  return nodes
    .filter((node) => isElement(node))
    .flatMap(({ attributes, children }) => attributes.alt ?? imageTexts(children));
}

/** Returns the first node that visitors see, such as text, an image or a heading. */
function firstShown(nodes: readonly Node[]): Node | undefined {
  const first = nodes.find((node) => !isBlank(node));
  const goesDeeper = isElement(first, 'div', 'span');
  return goesDeeper ? firstShown(first.children) : first;
}
