import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Node as Content, Slice } from '@tiptap/pm/model';
import { Plugin, PluginKey, Selection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import type { MediaJson } from '../../../contract.ts';
import { imagesAmong } from '../../../own-images.ts';
import { parseHtml } from '../../../parts/parse-html.ts';
import type { ShownImage } from '../images/image-markup.ts';
import type { UploadBatch } from '../images/upload-batch.ts';
import { describe } from '../images/use-descriptions.tsx';
import { focusText } from './focus-text.ts';
import { isImage } from './images.ts';
import { imagesAlone, insertImage, insertImages } from './insert-image.ts';
import { moveAfterImage } from './text-after-image.ts';

/* Uploads images into the visual editor. A decoration stands for each until it is uploaded and inserted into the document. */

/** Adds or removes the box of an upload. `image` is the position of the image that replaces a removed box. */
type BoxChange = { add: HTMLElement; at: number } | { remove: HTMLElement; image?: number };

const key = new PluginKey<DecorationSet>('uploads');

export const ImageUploads = Extension.create({
  name: 'imageUploads',
  addProseMirrorPlugins() {
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply(transaction, before) {
            const { mapping, doc } = transaction;
            const step = transaction.getMeta(key) as BoxChange | undefined;
            if (step && 'add' in step) return before.map(mapping, doc).add(doc, [widget(step.at, step.add)]);
            if (!step) return before.map(mapping, doc);
            const all = before.find();
            const gone = all.findIndex(({ spec }) => spec.box === step.remove);
            const others = all.flatMap(({ from, spec }, index) => {
              if (index === gone) return [];
              // Boxes at the same position keep their order around the image.
              if (step.image !== undefined && from === all[gone]!.from)
                return [widget(step.image + (index > gone ? 1 : 0), spec.box)];
              const { pos, deleted } = mapping.mapResult(from);
              return deleted ? [] : [widget(pos, spec.box)];
            });
            return DecorationSet.create(doc, others);
          },
        },
        props: { decorations: (state) => key.getState(state) },
      }),
    ];
  },
});

/** Returns a widget that stays before text typed at its position. */
function widget(at: number, box: HTMLElement): Decoration {
  return Decoration.widget(at, box, { box, side: -1, stopEvent });
}

const stopEvent = () => true;

/** The properties of an image that was pasted within a text. */
interface PastedInText {
  readonly alt: string | null;
}

/**
 * Uploads images, and inserts each where its box is by then. An image gets a paragraph of its own, unless it was pasted
 * within a line of text.
 */
export function uploadInto(
  editor: Editor,
  batch: UploadBatch,
  files: readonly File[],
  at: number,
  onInserted: (media: MediaJson) => void,
  pasted?: PastedInText,
): void {
  const alt = pasted?.alt;
  for (const file of files) {
    const removeBox = (tr: Transaction, image?: number) =>
      editor.view.dispatch(tr.setMeta(key, { remove: dom, ...(image !== undefined && { image }) } satisfies BoxChange));
    const { dom } = batch.add(file, {
      insert: (uploaded) => {
        if (editor.isDestroyed) return true;
        if (uploaded.alt === null && alt) describe(uploaded.id, alt);
        const media = { ...uploaded, alt: alt ?? uploaded.alt };
        const [box] = key.getState(editor.state)!.find(undefined, undefined, (spec) => spec.box === dom);
        const { tr } = editor.state;
        // The text around the box was deleted.
        if (!box) {
          removeBox(tr);
          return false;
        }
        const node = editor.schema.nodes.image!.create(imageOf(media));
        const image = pasted ? box.from : insertImage(tr, box.from, node);
        if (pasted) tr.insert(image, node);
        else if (editor.state.selection.to === box.from) moveAfterImage(tr, image);
        removeBox(closeHistory(tr), image);
        editor.view.dispatch(closeHistory(editor.state.tr));
        onInserted(media);
        return true;
      },
      remove: () => {
        if (!editor.isDestroyed) removeBox(editor.state.tr);
      },
    });
    editor.view.dispatch(editor.state.tr.setMeta(key, { add: dom, at } satisfies BoxChange));
  }
}

/**
 * Inserts what was pasted at the selection, or at the position where it was dropped. Images embedded as data are uploaded
 * and inserted in their places.
 */
export function insertPasted(
  editor: Editor,
  batch: UploadBatch,
  slice: Slice,
  at: number | undefined,
  files: ReadonlyMap<string, File>,
  onInserted: (media: MediaJson) => void,
): void {
  const { tr } = editor.state;
  if (at !== undefined) tr.setSelection(Selection.near(tr.doc.resolve(at)));
  const images = imagesAlone(slice);
  if (images) insertImages(tr, images);
  else tr.replaceSelection(slice);
  const found: { at: number; file: File; alt: string | null }[] = [];
  tr.doc.descendants(({ type, attrs }, place) => {
    const file = type.name === 'image' ? files.get(attrs.src) : undefined;
    if (file) found.push({ at: place, file, alt: attrs.alt });
  });
  for (const { at: place } of found.toReversed()) tr.delete(place, place + 1);
  editor.view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
  // Positions shift by one for each earlier image, which has been removed from the document.
  for (const [before, { at: place, file, alt }] of found.entries()) {
    uploadInto(editor, batch, [file], place - before, onInserted, { alt });
  }
}

/** Replaces the images with this address by one of the site's own. */
export function replaceImage(editor: Editor, src: string, { src: own, alt, width, height }: MediaJson): void {
  const { tr, doc } = editor.state;
  doc.descendants((node, at) => {
    const { attrs } = node;
    if (!isImage(node) || attrs.src !== src) return;
    // Keeps the size at which the image was shown.
    const size = attrs.width && attrs.height ? {} : { width: String(width), height: String(height) };
    tr.setNodeMarkup(at, undefined, { ...attrs, ...size, src: own, alt: attrs.alt ?? alt });
  });
  if (tr.docChanged) editor.view.dispatch(tr);
}

const imagesByNode = new WeakMap<Content, readonly ShownImage[]>();

/** Returns the images of a text. Caches them by block, because a keystroke changes only one block. */
export function imagesIn(doc: Content): readonly ShownImage[] {
  const known = imagesByNode.get(doc);
  if (known) return known;
  const images: ShownImage[] = [];
  for (const block of doc.children) {
    const own = imagesOf(block);
    if (own.length > 0) images.push(...own);
  }
  imagesByNode.set(doc, images);
  return images;
}

function imagesOf(block: Content): readonly ShownImage[] {
  const known = imagesByNode.get(block);
  if (known) return known;
  const images: ShownImage[] = [];
  const note = (node: Content) => {
    if (isImage(node)) images.push({ src: String(node.attrs.src ?? ''), alt: node.attrs.alt });
  };
  note(block);
  block.descendants(note);
  imagesByNode.set(block, images);
  return images;
}

/** Returns the attributes of an image node, with its size if known. */
export function imageOf({
  src,
  alt,
  width,
  height,
}: {
  src: string;
  alt: string | null;
  width?: number;
  height?: number;
}) {
  return { src, alt, ...(width && height && { width: String(width), height: String(height) }) };
}

/** Returns pasted images. Returns none if text was pasted as well: the image is then only a picture of that text. */
export function pastedImages({ clipboardData }: ClipboardEvent): File[] {
  const html = clipboardData?.getData('text/html') ?? '';
  const body = parseHtml(html);
  for (const element of body.querySelectorAll('script, style, title, xml')) element.remove();
  return body.textContent.trim() === '' ? imagesAmong(clipboardData?.files) : [];
}

/** Returns the document position at which something was dropped. */
export function dropPosition(view: EditorView, { clientX: left, clientY: top }: DragEvent): number {
  return view.posAtCoords({ left, top })?.pos ?? view.state.selection.to;
}

/** Sets the description of all images with this address that have none. */
export function setAltOf(editor: Editor, src: string, alt: string): void {
  const { tr, doc } = editor.state;
  doc.descendants((node, at) => {
    if (isImage(node) && node.attrs.src === src && node.attrs.alt === null) tr.setNodeAttribute(at, 'alt', alt);
  });
  if (tr.docChanged) editor.view.dispatch(tr);
}

/** Selects the first image with this address and scrolls to it. */
export function showImage(editor: Editor, src: string): void {
  let place: number | undefined;
  editor.state.doc.descendants((node, at) => {
    if (isImage(node) && node.attrs.src === src) place ??= at;
  });
  if (place !== undefined) focusText(editor).setNodeSelection(place).run();
}
