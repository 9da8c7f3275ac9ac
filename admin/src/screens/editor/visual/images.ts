import { Image } from '@tiptap/extension-image';
import type { Node } from '@tiptap/pm/model';
import { inApp } from '../../../media.ts';
import { strings } from '../../../strings.ts';

/** An image in a line of text. One with a size, a side or a caption is a figure: see figures.ts. */
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

/** Loads the site's own images through the app. The written address stays. */
export function showImageOf(dom: HTMLImageElement, { src, alt }: Record<string, unknown>): void {
  const address = inApp(String(src ?? ''));
  if (dom.getAttribute('src') !== address) dom.src = address;
  // Screen readers announce it.
  dom.alt = String(alt ?? strings.editor.imageUnsaid);
}

/** Tells whether the node shows an image, in a line of text or as a figure. */
export function isImage({ type }: Node): boolean {
  return type.name === 'image' || type.name === 'figure';
}
