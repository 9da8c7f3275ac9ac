import { Mark } from '@tiptap/core';
import { STYLE } from './styles.ts';

const names = 'abbr acronym bdi bdo big cite dfn font ins kbd mark q samp small span time tt var'.split(' ');
/** Attributes that do nothing by themselves. An element with any other one becomes part of an HTML block. */
const harmless = new Set('cite class color datetime dir face id lang name size style title'.split(' '));

type Attributes = readonly (readonly [name: string, value: string])[];

/** Elements in a line that nothing here sets, but that texts bring along. */
export const InlineHtml = Mark.create({
  name: 'inlineHtml',
  // Several of them may mark the same text.
  excludes: '',
  addAttributes: () => ({
    element: { default: 'span', rendered: false },
    attributes: { default: [], rendered: false },
  }),
  parseHTML: () =>
    [...names, 'a:not([href])'].map((tag) => ({
      tag,
      // Before those of the library.
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
