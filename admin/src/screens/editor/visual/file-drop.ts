import { Extension } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { dropPoint } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';

/** The slices that stand for files being dragged over the text. */
const placeholders = new WeakSet<Slice>();

/** Shows where dragged files will be inserted: between blocks. The library would show a position within a word. */
export const FileDrop = Extension.create({
  name: 'fileDrop',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          dragover: (view, { dataTransfer }) => {
            if (!view.dragging && dataTransfer?.types.includes('Files')) {
              const slice = paragraphSlice(view);
              placeholders.add(slice);
              view.dragging = { slice, move: false };
            }
            return false;
          },
          // Otherwise the library would insert the placeholder.
          drop: removePlaceholder,
          dragleave: removePlaceholder,
        },
      },
    }),
  ],
});

/**
 * Returns the boundary between blocks nearest to the position. In an empty block, returns the position itself, to fill the
 * block.
 */
export function placeForFiles(view: EditorView, position: number): number {
  const { doc } = view.state;
  const { parent } = doc.resolve(position);
  if (parent.isTextblock && parent.childCount === 0) return position;
  return dropPoint(doc, position, paragraphSlice(view)) ?? position;
}

function removePlaceholder(view: EditorView): false {
  if (view.dragging && placeholders.has(view.dragging.slice)) view.dragging = null;
  return false;
}

function paragraphSlice({ state }: EditorView): Slice {
  return new Slice(Fragment.from(state.schema.nodes.paragraph!.create()), 0, 0);
}
