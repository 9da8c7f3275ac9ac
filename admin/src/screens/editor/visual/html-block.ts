import { Node } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { type Node as DocumentNode, Fragment } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { strings } from '../../../strings.ts';
import { isVisible, showHtml } from '../html-view.ts';
import { isOnlyText, makeText } from './replace-block.ts';

const words = strings.editor.htmlBlock;

/** The event by which a block asks to edit its source. Its detail is the block's position. */
export const EDIT_HTML = 'edithtml';

/** The attribute that holds a block's source in the editor's own HTML, for example on the clipboard. */
const HTML = 'data-html';

/** A part of a body that the editor cannot edit. It is shown, moved and deleted as a whole, and keeps its source. */
export const HtmlBlock = Node.create({
  name: 'htmlBlock',
  // In no group: only the document itself may contain it. See extensions.ts.
  group: '',
  atom: true,
  draggable: true,
  addAttributes: () => ({ html: { default: '', rendered: false } }),
  parseHTML: () => [
    { tag: `div[${HTML}]`, priority: 60, getAttrs: (block: HTMLElement) => ({ html: block.getAttribute(HTML) }) },
  ],
  renderHTML: ({ node }) => ['div', { [HTML]: node.attrs.html }],
  addNodeView:
    () =>
    ({ node, view, getPos }) =>
      htmlBox(node, view, getPos),
});

/** Creates the node view of a block, with buttons to edit, move and delete it, and to turn it into text. */
export function htmlBox(node: DocumentNode, view: EditorView, getPos: () => number | undefined) {
  const dom = document.createElement('div');
  dom.className = 'html-block';
  const head = document.createElement('div');
  head.className = 'html-block-head';
  const note = document.createElement('span');
  const shown = document.createElement('div');
  shown.className = 'html-block-text';
  const content = showHtml(node.attrs.html);
  const hasText = isVisible(content);
  note.textContent = hasText ? words.note : words.unseenNote;
  shown.append(content);
  const button = (label: string, act: (at: number) => void) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.textContent = label;
    element.addEventListener('click', () => {
      const at = getPos();
      if (at !== undefined) act(at);
    });
    return element;
  };
  head.append(
    note,
    button(words.edit, (at) => dom.dispatchEvent(new CustomEvent(EDIT_HTML, { bubbles: true, detail: at }))),
    ...(isOnlyText(node.attrs.html) ? [button(words.asText, (at) => makeText(view, at))] : []),
    button(words.up, (at) => moveBlock(view, at, -1)),
    button(words.down, (at) => moveBlock(view, at, 1)),
    button(words.remove, (at) => removeBlock(view, at)),
  );
  dom.append(head, ...(hasText ? [shown] : []));
  return { dom, stopEvent: ({ target, type }: Event) => target instanceof HTMLButtonElement && type !== 'dragstart' };
}

/** Swaps the block with the one before or after it. The pressed button keeps the focus. */
function moveBlock(view: EditorView, at: number, by: -1 | 1): void {
  const { tr } = view.state;
  const $at = tr.doc.resolve(at);
  const node = $at.nodeAfter!;
  const neighbour = by === -1 ? $at.nodeBefore : tr.doc.resolve(at + node.nodeSize).nodeAfter;
  if (!neighbour) return;
  const from = by === -1 ? at - neighbour.nodeSize : at;
  const order = by === -1 ? [node, neighbour] : [neighbour, node];
  tr.replaceWith(from, from + node.nodeSize + neighbour.nodeSize, Fragment.from(order));
  const to = by === -1 ? from : from + neighbour.nodeSize;
  view.dispatch(closeHistory(tr.setSelection(NodeSelection.create(tr.doc, to))));
  const box = view.nodeDOM(to);
  if (!(box instanceof HTMLElement)) return;
  box.scrollIntoView({ block: 'nearest' });
  [...box.querySelectorAll('button')].at(by === -1 ? -3 : -2)?.focus({ preventScroll: true });
}

function removeBlock(view: EditorView, at: number): void {
  const { tr } = view.state;
  view.dispatch(closeHistory(tr.delete(at, at + tr.doc.nodeAt(at)!.nodeSize)).scrollIntoView());
  view.focus();
}
