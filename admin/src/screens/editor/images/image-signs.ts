import { escapeHtml } from '../escape-html.ts';
import { type ImageSize, withLayout } from './image-layout.ts';

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

/** An image as Markdown. */
export function markdownImage({ src, alt }: ShownImage): string {
  return `![${plainLabel(alt ?? '')}](${targetOf(src)})${alt === '' ? DECORATIVE : ''}`;
}

/** An image as HTML. */
export function htmlImage({ src, alt, width, height }: NewImage): string {
  const said = alt === null ? '' : ` alt="${escapeHtml(alt)}"`;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  return `<img src="${escapeHtml(src)}"${said}${size}>`;
}

/** An image to put into a text. The size in pixels is told of own images alone. */
export interface NewImage extends ShownImage {
  readonly width?: number;
  readonly height?: number;
  /** Only where the editor asks for them. */
  readonly size?: ImageSize;
  readonly caption?: string;
}

/** An image with a size or a caption as HTML, as the visual editor writes it; undefined if it has neither. */
export function figureHtml({ size = 'normal', caption = '', ...image }: NewImage): string | undefined {
  const className = withLayout(null, { size, side: undefined });
  if (className === null && caption === '') return undefined;
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
