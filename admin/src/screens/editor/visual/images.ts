import { Image } from '@tiptap/extension-image';
import type { Node } from '@tiptap/pm/model';
import { appImageUrl } from '../../../own-images.ts';
import { strings } from '../../../strings.ts';

/** An inline image. An image with a size, side or caption is a figure: see figures.ts. */
export const SizedImage = Image.extend({
  addAttributes() {
    const names = ['src', 'alt', 'width', 'height', 'loading', 'srcset', 'sizes', 'decoding', 'fetchpriority'];
    return Object.fromEntries(names.map((name) => [name, { default: null }]));
  },
  addNodeView:
    () =>
    ({ node }) =>
      imageBox(node),
}).configure({ inline: true, allowBase64: true });

export function imageBox({ attrs }: { attrs: Record<string, unknown> }) {
  const dom = document.createElement('img');
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== null && name !== 'style') dom.setAttribute(name, String(value));
  }
  showImageOf(dom, attrs);
  return { dom };
}

/** Shows an image, loading the site's own images through the app. The address in the document does not change. */
export function showImageOf(dom: HTMLImageElement, { src, alt }: Record<string, unknown>): void {
  const address = appImageUrl(String(src ?? ''));
  if (dom.getAttribute('src') !== address) dom.src = address;
  // Tells screen readers that the description is missing.
  dom.alt = String(alt ?? strings.editor.imageUnsaid);
}

/** True for an inline image and for a figure. */
export function isImage({ type }: Node): boolean {
  return type.name === 'image' || type.name === 'figure';
}
