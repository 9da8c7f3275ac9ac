import { MEDIA_PATH, type MediaName, readMediaName, srcsetOf } from '../../media/media-name.ts';
import { type Element, element, hasClass, isElement } from './node.ts';

/** The largest width of a text in CSS pixels. Wider images are shown at this width. */
const COLUMN_WIDTH_PX = 800;

/** The largest widths, in CSS pixels and any theme, of small and wide figures. A full figure is as wide as the window. */
const SMALL_WIDTH_PX = 320;
const WIDE_WIDTH_PX = 1600;

/** How many images of a body get all of their sizes, which takes twenty times the written markup. */
const MAX_RESPONSIVE_IMAGES = 1000;

/**
 * Gives the account's own images all of their sizes, the smaller format first, so that browsers load no more than they
 * need. Also sets a width and a height, so that nothing moves when images load. The image's address has all facts that
 * this needs, so there is no look-up. Sizes that the body itself states are kept.
 */
export function showOwnImages(body: Element): void {
  replaceImages(body, { left: MAX_RESPONSIVE_IMAGES }, undefined);
}

function replaceImages(parent: Element, count: { left: number }, figure: Element | undefined): void {
  for (const [index, child] of parent.children.entries()) {
    if (!isElement(child)) continue;
    replaceImages(child, count, child.name === 'figure' ? child : figure);
    const name = child.name === 'img' && child.attributes.srcset === undefined && nameIn(child.attributes.src);
    if (!name) continue;
    setSize(child, name);
    // An animated image has only one file.
    if (!name.isMoving && count.left-- > 0) parent.children[index] = pictureOf(child, name, figure);
  }
}

function nameIn(src: string | undefined): MediaName | undefined {
  return src?.startsWith(MEDIA_PATH) ? readMediaName(src.slice(MEDIA_PATH.length)) : undefined;
}

/** Sets the width and height. If the body gives only one of them, the other follows from it. */
function setSize({ attributes }: Element, { width, height }: MediaName): void {
  const [ownWidth, ownHeight] = [Number(attributes.width ?? 0), Number(attributes.height ?? 0)];
  if (ownWidth > 0 && ownHeight > 0) return;
  const scale = ownWidth > 0 ? ownWidth / width : ownHeight > 0 ? ownHeight / height : 1;
  attributes.width = String(Math.max(1, Math.round(width * scale)));
  attributes.height = String(Math.max(1, Math.round(height * scale)));
}

function pictureOf(image: Element, name: MediaName, figure: Element | undefined): Element {
  const { attributes } = image;
  // Browsers lay the page out before they load a lazy image, and with `auto` use the width that it has there.
  const auto = attributes.loading === 'lazy' ? 'auto, ' : '';
  const displayWidth = shownWidth(Number(attributes.width), figure);
  const sizes =
    displayWidth === undefined ? `${auto}100vw` : `${auto}(min-width: ${displayWidth}px) ${displayWidth}px, 100vw`;
  Object.assign(attributes, { srcset: srcsetOf(name, 'webp'), sizes });
  const source = element('source', { type: 'image/avif', srcset: srcsetOf(name, 'avif'), sizes });
  return element('picture', {}, [source, image]);
}

/** Returns the most pixels that the image's width takes; undefined for the width of the window. */
function shownWidth(width: number, figure: Element | undefined): number | undefined {
  if (figure && hasClass(figure, 'image-full')) return undefined;
  // The themes enlarge a wide image.
  if (figure && hasClass(figure, 'image-wide')) return WIDE_WIDTH_PX;
  return Math.min(width, figure && hasClass(figure, 'image-small') ? SMALL_WIDTH_PX : COLUMN_WIDTH_PX);
}
