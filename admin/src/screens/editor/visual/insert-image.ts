import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Node, ResolvedPos, Slice } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { focusText } from './focus-text.ts';
import { moveAfterImage, splitBlock } from './text-after-image.ts';

/**
 * Inserts an image as a paragraph of its own, splitting the text at the position if necessary. Replaces an empty paragraph.
 * Returns the image's position.
 */
export function insertImage(tr: Transaction, at: number, image: Node): number {
  const $at = tr.doc.resolve(at);
  const { parent, parentOffset } = $at;
  if (!isLine(parent)) return insertBlock(tr, at, image);
  const [before, behind] = [parent.cut(0, parentOffset), parent.cut(parentOffset)];
  if (isBlank(before) && isBlank(behind)) {
    // Not a heading, which tables of contents would list.
    tr.setNodeMarkup($at.before(), image.type.schema.nodes.paragraph!, parent.attrs).insert(at, image);
    return at;
  }
  // A task's box stays before the task's text.
  if (isBlank(behind) || (isBlank(before) && hasTaskBox(before))) return insertBlock(tr, $at.after(), image);
  if (isBlank(before)) return insertBlock(tr, $at.before(), image);
  // The second part must not begin with spaces.
  const { text = '' } = behind.firstChild!;
  tr.delete(at, at + text.length - text.trimStart().length);
  splitBlock(tr, at);
  return insertBlock(tr, at + 1, image);
}

/** Replaces the selection by an image. The insertion is an undo step of its own, however soon the user types on. */
export function putImage(editor: Editor, attributes: Record<string, unknown>): void {
  focusText(editor)
    .command(({ tr }) => {
      insertImages(closeHistory(tr), [editor.schema.nodes.image!.create(attributes)]);
      return true;
    })
    .run();
  editor.view.dispatch(closeHistory(editor.state.tr));
}

/** Replaces the selection by images, one below the other, and puts the cursor after them. */
export function insertImages(tr: Transaction, images: readonly Node[]): void {
  tr.deleteSelection();
  let place = tr.selection.from;
  for (const [index, image] of images.entries()) place = insertImage(tr, place + (index > 0 ? 1 : 0), image);
  moveAfterImage(tr, place);
}

/** Returns the pasted images, or undefined if anything else was pasted. */
export function imagesAlone({ content }: Slice): Node[] | undefined {
  const images: Node[] = [];
  let isAlone = true;
  content.descendants((node) => {
    if (node.type.name === 'image') images.push(node);
    else if (node.type.name !== 'paragraph' && node.text?.trim() !== '') isAlone = false;
  });
  return isAlone && images.length > 0 ? images : undefined;
}

function insertBlock(tr: Transaction, at: number, image: Node): number {
  const block = image.type.schema.nodes.paragraph!.create(null, image);
  const place = placeFor(tr.doc.resolve(at), block);
  tr.insert(place, block);
  return place + 1;
}

/** Returns the nearest position, from `$at` onwards, where the block is allowed. In a figure's caption: after the figure. */
function placeFor($at: ResolvedPos, { type }: Node): number {
  let { depth } = $at;
  const isAllowed = () => $at.node(depth).canReplaceWith($at.indexAfter(depth), $at.indexAfter(depth), type);
  while (depth > 0 && !isAllowed()) depth -= 1;
  return depth === $at.depth ? $at.pos : $at.after(depth + 1);
}

function isLine({ type }: Node): boolean {
  return type.name === 'paragraph' || type.name === 'heading';
}

function isBlank({ children, textContent }: Node): boolean {
  return textContent.trim() === '' && children.every(({ isText, type }) => isText || type.name === 'taskBox');
}

function hasTaskBox({ children }: Node): boolean {
  return children.some(({ type }) => type.name === 'taskBox');
}
