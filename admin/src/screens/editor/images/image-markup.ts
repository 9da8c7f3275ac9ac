import { escapeHtml } from '../escape-html.ts';
import { type ImageSide, type ImageSize, withLayout } from './image-layout.ts';

/* Writes images as Markdown and HTML. */

/** An image in a text. */
export interface ShownImage {
  readonly src: string;
  /** The description: empty for a decorative image, null if there is none. */
  readonly alt: string | null;
}

/** Marks an image as decorative, for which Markdown has no syntax. */
export const DECORATIVE = '<!-- decorative -->';
export const decorative = /^<!--\s*decorative\s*-->/i;

/** Returns an image as Markdown. `title` is what follows its address, with a leading space. */
export function markdownImage({ src, alt, link = '' }: NewImage, title = ''): string {
  const image = `![${escapeLabel(alt ?? '')}](${markdownTarget(src)}${title})${alt === '' ? DECORATIVE : ''}`;
  return link === '' ? image : `[${image}](${markdownTarget(link)})`;
}

/** Returns an image as HTML. */
export function htmlImage({ src, alt, width, height, link = '' }: NewImage): string {
  const said = alt === null ? '' : ` alt="${escapeHtml(alt)}"`;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  const image = `<img src="${escapeHtml(src)}"${said}${size}>`;
  return link === '' ? image : `<a href="${escapeHtml(link)}">${image}</a>`;
}

/** An image to insert into a text. Only the site's own images have a size in pixels. */
export interface NewImage extends ShownImage {
  readonly width?: number;
  readonly height?: number;
  /** Set only if the editor asks for them. */
  readonly size?: ImageSize;
  readonly side?: ImageSide | undefined;
  readonly caption?: string;
  /** The address of the link around the image, or an empty text for none. */
  readonly link?: string;
}

/** True if the image has a size, side or caption, which an image within a paragraph cannot have. */
export function needsFigure({ size = 'normal', side, caption = '' }: NewImage): boolean {
  return withLayout(null, { size, side }) !== null || caption !== '';
}

/** Returns an image with a size, side or caption as HTML, as the visual editor writes it. Undefined if it has none of them. */
export function figureHtml(image: NewImage): string | undefined {
  if (!needsFigure(image)) return undefined;
  const { size = 'normal', side, caption = '' } = image;
  const className = withLayout(null, { size, side });
  const said = caption && `<figcaption>${escapeHtml(caption)}</figcaption>`;
  return `<figure${className ? ` class="${className}"` : ''}>${htmlImage(image)}${said}</figure>`;
}

/** Returns an address as the target of a Markdown link. */
export function markdownTarget(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
}

/** Escapes a text for use as the label of a Markdown link. */
export function escapeLabel(label: string): string {
  return label.replace(/[[\]\\]/g, '\\$&');
}
