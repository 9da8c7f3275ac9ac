import { Node } from '@tiptap/core';

/*
 * Footnotes as the sites' renderer writes them for Markdown. Their texts can be edited; their numbers and links are
 * preserved.
 */

/** A footnote's number in the text, which links to the note. */
export const FootnoteNumber = Node.create({
  name: 'footnoteNumber',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ id: { default: null }, href: { default: null }, number: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'sup.footnote-ref',
      // Takes precedence over plain `sup` elements.
      priority: 60,
      getAttrs: (sup) => {
        const [link, ...more] = sup.childNodes;
        if (more.length > 0 || !(link instanceof HTMLAnchorElement)) return false;
        return { id: link.getAttribute('id'), href: link.getAttribute('href'), number: link.textContent };
      },
    },
  ],
  renderHTML: ({ node: { attrs } }) => [
    'sup',
    { class: 'footnote-ref' },
    ['a', { id: attrs.id, href: attrs.href }, attrs.number],
  ],
  addNodeView:
    () =>
    ({ node }) =>
      footnoteNumber(node),
});

/** Creates the node view of a footnote's number, without its link, which would lead out of the editor. */
export function footnoteNumber({ attrs }: { attrs: Record<string, unknown> }) {
  const dom = document.createElement('sup');
  dom.textContent = String(attrs.number);
  return { dom };
}

/** The footnotes at the end of the text. */
export const Footnotes = Node.create({
  name: 'footnotes',
  group: 'block',
  content: 'orderedList',
  isolating: true,
  addAttributes: () => ({
    // `section` from the Markdown renderer, `div` after the sites’ sanitizer.
    element: { default: 'div', parseHTML: ({ localName }: HTMLElement) => localName, rendered: false },
  }),
  parseHTML: () => [{ tag: 'div.footnotes' }, { tag: 'section.footnotes' }],
  renderHTML: ({ node }) => [node.attrs.element, { class: 'footnotes' }, 0],
});
