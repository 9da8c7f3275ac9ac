import { isElement, type Node } from './node.ts';
import { blockNames, headingNames } from './vocabulary.ts';

/** Returns the text of the nodes, with single spaces. */
export function textOf(nodes: readonly Node[], withHeadings = true): string {
  const parts: string[] = [];
  collect(nodes, withHeadings, parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(nodes: readonly Node[], withHeadings: boolean, parts: string[]): void {
  for (const node of nodes) {
    if (!isElement(node)) {
      parts.push(node.text);
      continue;
    }
    if (!withHeadings && headingNames.has(node.name)) continue;
    // Numbers of footnotes, and the links back from them, are not part of the text.
    if (/\bfootnote-(?:ref|backref)\b/.test(node.attributes.class ?? '')) continue;
    const apart = blockNames.has(node.name) || node.name === 'br' || node.name === 'iframe';
    if (apart) parts.push(' ');
    collect(node.children, withHeadings, parts);
    if (apart) parts.push(' ');
  }
}
