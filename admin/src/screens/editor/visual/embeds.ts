import { type Editor, Node } from '@tiptap/core';
import { GapCursor } from '@tiptap/pm/gapcursor';
import { closeHistory } from '@tiptap/pm/history';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { type EditorState, NodeSelection, Plugin, Selection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { embedBox } from '../embeds/embed-box.ts';
import { attributesOf, type EmbedAttributes, type FoundEmbed, readPasted } from '../embeds/embed-code.ts';
import { inText } from './focus.ts';
import { isOwn } from './paste.ts';

/** A video or a map in a frame of its own. In the editor it is a box that says so: nothing is loaded from elsewhere. */
export const Embed = Node.create({
  name: 'embed',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes() {
    const names = ['src', 'width', 'height', 'allow', 'allowfullscreen', 'loading', 'frameborder', 'referrerpolicy'];
    return Object.fromEntries(names.map((name) => [name, { default: null }]));
  },
  parseHTML: () => [{ tag: 'iframe[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['iframe', HTMLAttributes],
  addNodeView:
    () =>
    ({ node }) =>
      embedBox(node),
  addProseMirrorPlugins: () => [new Plugin({ props: { handlePaste } })],
});

/** The embed that somebody has selected. */
export function selectedEmbed({ selection }: EditorState): { src: string; title: string } | undefined {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'embed') return undefined;
  const { src, title } = selection.node.attrs;
  return { src: String(src ?? ''), title: String(title ?? '') };
}

/** Changes the embed that is selected, which stays so; where none is, there is one more, and one writes on behind it. */
export function setEmbed(editor: Editor, attributes: Partial<EmbedAttributes>): void {
  inText(editor)
    .command(({ tr, state }) => {
      const { selection, schema } = state;
      if (selectedEmbed(state)) {
        const all = { ...(selection as NodeSelection).node.attrs, ...attributes };
        tr.setNodeMarkup(selection.from, undefined, all).setSelection(NodeSelection.create(tr.doc, selection.from));
      } else {
        const node = schema.nodes.embed!.create(attributes);
        tr.replaceRangeWith(selection.from, selection.to, node);
        goBehind(tr, node);
      }
      closeHistory(tr).scrollIntoView();
      return true;
    })
    .run();
  // Undone by itself, whatever comes before and after it, and however soon.
  editor.view.dispatch(closeHistory(editor.state.tr));
}

/** On an empty line an embed comes of it. Undone, it is what was pasted; and undone again, nothing. */
function handlePaste(view: EditorView, { clipboardData }: ClipboardEvent): boolean {
  const html = clipboardData?.getData('text/html') ?? '';
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  const embed = isOwn(html) || !isOnEmptyLine(view.state) ? undefined : readPasted(text);
  if (!embed) return false;
  view.dispatch(pastedText(view.state, text));
  view.dispatch(embedInstead(view.state, embed));
  return true;
}

function isOnEmptyLine({ selection: { empty, $from }, schema }: EditorState): boolean {
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parent.childCount > 0) return false;
  // The first thing in an item of a list is a paragraph, for instance.
  return $from.node(-1).canReplaceWith($from.index(-1), $from.indexAfter(-1), schema.nodes.embed!);
}

function pastedText({ tr, schema }: EditorState, text: string): Transaction {
  const marks = text.startsWith('<') ? [] : [schema.marks.link!.create({ href: text })];
  return closeHistory(tr).replaceSelectionWith(schema.text(text, marks), false).setMeta('preventAutolink', true);
}

function embedInstead({ tr, schema, selection: { $from } }: EditorState, embed: FoundEmbed): Transaction {
  const node = schema.nodes.embed!.create(attributesOf(embed, embed.title));
  closeHistory(tr).replaceWith($from.before(), $from.after(), node);
  goBehind(tr, node);
  return tr.scrollIntoView();
}

/** Not onto it: the next thing written would replace it. */
function goBehind(tr: Transaction, embed: DocumentNode): void {
  tr.doc.descendants((node, at) => {
    if (node !== embed) return;
    const $after = tr.doc.resolve(at + node.nodeSize);
    const isEdge = !$after.nodeAfter || $after.nodeAfter.isAtom;
    tr.setSelection(isEdge ? new GapCursor($after) : Selection.near($after));
  });
}
