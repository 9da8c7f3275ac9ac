import { type Element, eachElement, isElement } from './node.ts';

/** An image after at most this many characters of text is most likely in the first view. */
const charactersOfFirstView = 600;

/** Makes images load when they come into view, and the first image at once if visitors are likely to see it first. */
export function loadImages(body: Element): void {
  const first = firstImage(body, { left: charactersOfFirstView });
  eachElement(body, (image) => {
    if (image.name !== 'img') return;
    Object.assign(
      image.attributes,
      image === first ? { fetchpriority: 'high' } : { loading: 'lazy', decoding: 'async' },
    );
  });
}

function firstImage(parent: Element, text: { left: number }): Element | undefined {
  for (const child of parent.children) {
    if (isElement(child, 'img')) return child;
    if (isElement(child)) {
      const found = firstImage(child, text);
      if (found) return found;
    } else text.left -= child.text.length;
    if (text.left < 0) return undefined;
  }
  return undefined;
}
