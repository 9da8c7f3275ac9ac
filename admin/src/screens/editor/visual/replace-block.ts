import { closeHistory } from '@tiptap/pm/history';
import { DOMParser, type Node } from '@tiptap/pm/model';
import { Selection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { parseHtml } from '../../../parts/parse-html.ts';
import { cleanPasted } from './paste.ts';

/** Replaces an HTML block by nodes. They take over the invisible source around it. */
export function replaceBlock(tr: Transaction, at: number, nodes: readonly Node[]): Transaction {
  const block = tr.doc.nodeAt(at)!;
  const { lead, trail } = block.attrs;
  const framed = nodes.map((node, index) => {
    const attrs = { ...node.attrs, ...(index === 0 && { lead }), ...(index === nodes.length - 1 && { trail }) };
    return node.type.create(attrs, node.content, node.marks);
  });
  return closeHistory(tr.replaceWith(at, at + block.nodeSize, framed).scrollIntoView());
}

const notText =
  'audio, button, canvas, embed, form, iframe, img, input, math, object, picture, select, svg, table, textarea, video';

/** True if the HTML contains only text, which can be edited once its looks and boxes are removed. */
export function isOnlyText(html: string): boolean {
  const body = parseHtml(html);
  return /\S/.test(body.textContent) && !body.querySelector(notText);
}

/** Turns an HTML block into ordinary text, as if it had been pasted from elsewhere. */
export function makeText(view: EditorView, at: number): void {
  const { tr, schema } = view.state;
  const { html } = cleanPasted(tr.doc.nodeAt(at)!.attrs.html, '');
  replaceBlock(tr, at, DOMParser.fromSchema(schema).parse(parseHtml(html)).children);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at))));
  view.focus();
}
