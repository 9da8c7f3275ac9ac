import { escapeHtml } from '../escape-html.ts';

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
export function htmlImage({ src, alt, width, height }: ShownImage & { width?: number; height?: number }): string {
  const said = alt === null ? '' : ` alt="${escapeHtml(alt)}"`;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  return `<img src="${escapeHtml(src)}"${said}${size}>`;
}

/** An address as the target of a link. */
export function targetOf(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
}

/** A text as it is, between the brackets of a link. */
export function plainLabel(label: string): string {
  return label.replace(/[[\]\\]/g, '\\$&');
}
