import { Extension } from '@tiptap/core';
import { DOMSerializer } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { OWN_COPY } from './paste.ts';

/** Marks what is copied in the editor, so that pasting it again needs no cleaning. */
export const OwnClipboard = Extension.create({
  name: 'ownClipboard',
  addProseMirrorPlugins() {
    const { schema } = this.editor;
    const parts = [DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema)] as const;
    return [new Plugin({ props: { clipboardSerializer: new OwnSerializer(...parts) } })];
  },
});

class OwnSerializer extends DOMSerializer {
  override serializeFragment(...args: Parameters<DOMSerializer['serializeFragment']>) {
    const written = super.serializeFragment(...args);
    const first = written.firstChild;
    if (first instanceof Element) first.setAttribute(OWN_COPY, '');
    return written;
  }
}
