/* An image by itself in HTML: a figure, with or without a link around the image and a caption below it. */

/** The attributes of an element that are kept without being edited, in order. */
export type Attributes = readonly (readonly [name: string, value: string])[];

const harmless = new Set(
  'align class decoding dir fetchpriority height id lang loading sizes src srcset style title width alt'.split(' '),
);
const linkAttributes = new Set('aria-label class href id rel style target title'.split(' '));

/** Tells whether the editors can hold all of a figure: an image, with or without a link and a caption. */
export function isImageFigure(figure: Element, attributesOf = allAttributesOf): boolean {
  const [first, caption, ...more] = seenIn(figure);
  const isLink = first instanceof HTMLAnchorElement;
  const [image, ...others] = isLink ? seenIn(first) : [first];
  return (
    more.length === 0 &&
    others.length === 0 &&
    image instanceof HTMLImageElement &&
    image.hasAttribute('src') &&
    (!caption || isCaption(caption) || (seenIn(caption).length === 1 && isCaption(caption.firstChild))) &&
    attributesOf(image).every(([name]) => harmless.has(name)) &&
    (!isLink || (first.hasAttribute('href') && attributesOf(first).every(([name]) => linkAttributes.has(name))))
  );
}

export function allAttributesOf(element: Element): Attributes {
  return [...element.attributes].map(({ name, value }) => [name, value] as const);
}

function isCaption(node: Node | null): boolean {
  return node instanceof Element && node.localName === 'figcaption';
}

function seenIn(parent: Node): ChildNode[] {
  return [...parent.childNodes].filter((child) => !(child instanceof Text) || /[^ \t\n\r\f]/.test(child.data));
}
