import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Node } from '@tiptap/pm/model';
import { readBody } from './body/read-body.ts';

/** Replaces an HTML block with other HTML, as the editor reads it. Empty HTML deletes the block. */
export function replaceHtml({ view, schema }: Editor, at: number, html: string): void {
  const { tr } = view.state;
  const block = tr.doc.nodeAt(at);
  if (block?.type.name !== 'htmlBlock' || block.attrs.html === html) return;
  const nodes = html.trim() === '' ? [] : (schema.nodeFromJSON(readBody(html).content) as Node).children;
  const { lead, trail } = block.attrs;
  const framed = nodes.map((node, index) => {
    const attrs = { ...node.attrs, ...(index === 0 && { lead }), ...(index === nodes.length - 1 && { trail }) };
    return node.type.create(attrs, node.content, node.marks);
  });
  tr.replaceWith(at, at + block.nodeSize, framed);
  view.dispatch(closeHistory(tr.scrollIntoView()));
}
