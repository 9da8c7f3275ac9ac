import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';

/** The position directly after an image that was just inserted, until the cursor leaves its paragraph. */
const key = new PluginKey<number | undefined>('textAfterImage');

/**
 * Moves text typed after a new image into a paragraph of its own. The paragraph is created with the first letter: an empty
 * one would remain if the user does not go on writing there.
 */
export const TextAfterImage = Extension.create({
  name: 'textAfterImage',
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin<number | undefined>({
        key,
        state: { init: () => undefined, apply: mapPosition },
        // Splitting the paragraph during a composition would break off the word that is being composed.
        appendTransaction: (_steps, _before, state) => (editor.view.composing ? null : splitAfterImage(state)),
        view: () => ({
          update: (view) => {
            const tr = view.composing ? null : splitAfterImage(view.state);
            if (tr) view.dispatch(tr);
          },
        }),
      }),
    ];
  },
});

/** Moves the cursor after the image. */
export function moveAfterImage(tr: Transaction, image: number): void {
  tr.setSelection(TextSelection.create(tr.doc, image + 1)).setMeta(key, image + 1);
}

/** Splits the block. Both parts have its attributes, except the id. The invisible source around the block stays around both. */
export function splitBlock(tr: Transaction, at: number): void {
  const $at = tr.doc.resolve(at);
  const { type, attrs } = $at.parent;
  tr.split(at, 1, [{ type, attrs: { ...attrs, id: null, lead: null } }]);
  if (attrs.trail) tr.setNodeAttribute($at.before(), 'trail', null);
}

function mapPosition(tr: Transaction, place: number | undefined): number | undefined {
  const told = tr.getMeta(key) as number | undefined;
  if (told !== undefined || place === undefined) return told;
  const { pos, deletedBefore } = tr.mapping.mapResult(place, -1);
  return !deletedBefore && tr.selection.$from.sameParent(tr.doc.resolve(pos)) ? pos : undefined;
}

function splitAfterImage(state: EditorState): Transaction | null {
  const place = key.getState(state);
  if (place === undefined || !isText(state.doc.resolve(place).nodeAfter)) return null;
  const { tr } = state;
  splitBlock(tr, place);
  return tr.scrollIntoView();
}

function isText(node: Node | null): boolean {
  return node?.isText === true;
}
