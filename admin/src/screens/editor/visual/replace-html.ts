import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { readBody } from './body/read-body.ts';
import { replaceBlock } from './replace-block.ts';

/** Replaces an HTML block with other HTML, as the editor reads it. Empty HTML deletes the block. */
export function replaceHtml({ view, schema }: Editor, at: number, html: string): void {
  const { tr } = view.state;
  const block = tr.doc.nodeAt(at);
  if (block?.type.name !== 'htmlBlock' || block.attrs.html === html) return;
  const nodes = html.trim() === '' ? [] : (schema.nodeFromJSON(readBody(html).content) as Node).children;
  view.dispatch(replaceBlock(tr, at, nodes));
}
