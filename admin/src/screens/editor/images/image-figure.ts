/* A standalone image in HTML: a figure with an optional link around the image and an optional caption. */

/** Attributes of an element that the editors keep without offering to edit them, in order. */
export type Attributes = readonly (readonly [name: string, value: string])[];

const harmless = new Set(
  'align class decoding dir fetchpriority height id lang loading sizes src srcset style title width alt'.split(' '),
);
const linkAttributes = new Set('aria-label class href id rel style target title'.split(' '));

/** True if the editors can represent the whole figure: one image, optionally with a link and a caption. */
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
