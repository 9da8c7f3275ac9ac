import { escapeHtml } from '../escape-html.ts';
import { type ImageSide, type ImageSize, withLayout } from './image-layout.ts';

/* How images are written down. */

/** An image that a text shows. */
export interface ShownImage {
  readonly src: string;
  /** Its description: empty for decoration, null if there is none. */
  readonly alt: string | null;
}

/** Marks an image as decorative, for which Markdown has no sign. */
export const DECORATIVE = '<!-- decorative -->';
export const decorative = /^<!--\s*decorative\s*-->/i;

/** An image as Markdown. `title` is what stands behind its address, with the space before it. */
export function markdownImage({ src, alt, link = '' }: NewImage, title = ''): string {
  const image = `![${plainLabel(alt ?? '')}](${targetOf(src)}${title})${alt === '' ? DECORATIVE : ''}`;
  return link === '' ? image : `[${image}](${targetOf(link)})`;
}

/** An image as HTML. */
export function htmlImage({ src, alt, width, height, link = '' }: NewImage): string {
  const said = alt === null ? '' : ` alt="${escapeHtml(alt)}"`;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  const image = `<img src="${escapeHtml(src)}"${said}${size}>`;
  return link === '' ? image : `<a href="${escapeHtml(link)}">${image}</a>`;
}

/** An image to put into a text. The size in pixels is told of own images alone. */
export interface NewImage extends ShownImage {
  readonly width?: number;
  readonly height?: number;
  /** Only where the editor asks for them. */
  readonly size?: ImageSize;
  readonly side?: ImageSide | undefined;
  readonly caption?: string;
  /** The address that it leads to; empty for none. */
  readonly link?: string;
}

/** Tells whether the image has something that a line of text has no place for: a size, a side or a caption. */
export function needsFigure({ size = 'normal', side, caption = '' }: NewImage): boolean {
  return withLayout(null, { size, side }) !== null || caption !== '';
}

/** An image with a size, a side or a caption as HTML, as the visual editor writes it; undefined if it has none of them. */
export function figureHtml(image: NewImage): string | undefined {
  if (!needsFigure(image)) return undefined;
  const { size = 'normal', side, caption = '' } = image;
  const className = withLayout(null, { size, side });
  const said = caption && `<figcaption>${escapeHtml(caption)}</figcaption>`;
  return `<figure${className ? ` class="${className}"` : ''}>${htmlImage(image)}${said}</figure>`;
}

/** An address as the target of a link. */
export function targetOf(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
}

/** A text as it is, between the brackets of a link. */
export function plainLabel(label: string): string {
  return label.replace(/[[\]\\]/g, '\\$&');
}
