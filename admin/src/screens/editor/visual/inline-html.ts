import { Mark } from '@tiptap/core';
import { STYLE } from './styles.ts';

const names = 'abbr acronym bdi bdo big cite dfn font ins kbd mark q samp small span time tt var'.split(' ');
/** Attributes without effects of their own. An element with any other attribute becomes part of an HTML block. */
const harmless = new Set('cite class color datetime dir face id lang name size style title'.split(' '));

type Attributes = readonly (readonly [name: string, value: string])[];

/** Inline elements that the editor cannot set, but preserves. */
export const InlineHtml = Mark.create({
  name: 'inlineHtml',
  // Several of these elements may mark the same text.
  excludes: '',
  addAttributes: () => ({
    element: { default: 'span', rendered: false },
    attributes: { default: [], rendered: false },
  }),
  parseHTML: () =>
    [...names, 'a:not([href])'].map((tag) => ({
      tag,
      // Takes precedence over the library's rules.
      priority: 60,
      getAttrs: (dom: HTMLElement) => {
        const attributes: Attributes = [...dom.attributes].map(({ name, value }) => [name, value] as const);
        return attributes.every(([name]) => harmless.has(name)) && { element: dom.localName, attributes };
      },
    })),
  renderHTML: ({ mark: { attrs } }) => {
    const attributes = Object.fromEntries(attrs.attributes as Attributes);
    return [attrs.element, { ...attributes, ...(attributes.style && { [STYLE]: attributes.style }) }, 0];
  },
});
