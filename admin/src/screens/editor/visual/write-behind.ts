import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';

/** The place right behind an image that was just inserted, until the cursor leaves its paragraph. */
const key = new PluginKey<number | undefined>('writeBehind');

/**
 * Gives the text that is written behind a new image a paragraph of its own. It is made with the first letter: an empty one would
 * stay in the text where nobody writes on.
 */
export const WriteBehind = Extension.create({
  name: 'writeBehind',
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin<number | undefined>({
        key,
        state: { init: () => undefined, apply: follow },
        // To divide a paragraph under a keyboard that is still composing a word would break the word off.
        appendTransaction: (_steps, _before, state) => (editor.view.composing ? null : divided(state)),
        view: () => ({
          update: (view) => {
            const tr = view.composing ? null : divided(view.state);
            if (tr) view.dispatch(tr);
          },
        }),
      }),
    ];
  },
});

/** Moves the cursor behind the image. */
export function writeBehind(tr: Transaction, image: number): void {
  tr.setSelection(TextSelection.create(tr.doc, image + 1)).setMeta(key, image + 1);
}

/** Divides the block. The second part has its look; the first and the last part keep the unseen source around the whole. */
export function divide(tr: Transaction, at: number): void {
  const $at = tr.doc.resolve(at);
  const { type, attrs } = $at.parent;
  tr.split(at, 1, [{ type, attrs: { ...attrs, id: null, lead: null } }]);
  if (attrs.trail) tr.setNodeAttribute($at.before(), 'trail', null);
}

function follow(tr: Transaction, place: number | undefined): number | undefined {
  const told = tr.getMeta(key) as number | undefined;
  if (told !== undefined || place === undefined) return told;
  const { pos, deletedBefore } = tr.mapping.mapResult(place, -1);
  return !deletedBefore && tr.selection.$from.sameParent(tr.doc.resolve(pos)) ? pos : undefined;
}

function divided(state: EditorState): Transaction | null {
  const place = key.getState(state);
  if (place === undefined || !isText(state.doc.resolve(place).nodeAfter)) return null;
  const { tr } = state;
  divide(tr, place);
  return tr.scrollIntoView();
}

function isText(node: Node | null): boolean {
  return node?.isText === true;
}
