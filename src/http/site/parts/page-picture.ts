import { MEDIA_PATH, sizesOf, srcsetOf, writeMediaName } from '../../../media/media-name.ts';
import type { PagePicture } from '../../../sites/page-pictures.ts';
import { type Html, html } from '../markup.ts';

/**
 * Returns a page's picture for a list of pages, in all of its sizes. The style sheet fixes its shape, so that nothing moves
 * when it loads. `width` is its displayed width, as in the attribute `sizes`.
 */
export function pagePicture(picture: PagePicture, { width, className }: { width: string; className: string }): Html {
  const name = { ...picture, isMoving: false, type: 'webp' as const };
  const sizes = `auto, ${width}`;
  const [smallest] = sizesOf(name);
  const src = MEDIA_PATH + writeMediaName({ ...name, ...smallest });
  return html`<picture class="${className}"><source type="image/avif" srcset="${srcsetOf(name, 'avif')}" sizes="${sizes}"><img src="${src}" srcset="${srcsetOf(name, 'webp')}" sizes="${sizes}" width="${picture.width}" height="${picture.height}" alt="${picture.alt}" loading="lazy" decoding="async"></picture>`;
}
