import { type Editor, Node } from '@tiptap/core';
import { GapCursor } from '@tiptap/pm/gapcursor';
import { closeHistory } from '@tiptap/pm/history';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { type EditorState, NodeSelection, Plugin, Selection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { embedBox } from '../embeds/embed-box.ts';
import { attributesOf, type EmbedAttributes, type FoundEmbed, readPastedEmbed } from '../embeds/embed-code.ts';
import { focusText } from './focus-text.ts';
import { isOwnCopy } from './paste.ts';

/** A video or map in an iframe. The editor shows a box instead, so that nothing loads from other websites. */
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

/** Returns the selected embed. */
export function selectedEmbed({ selection }: EditorState): { src: string; title: string } | undefined {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'embed') return undefined;
  const { src, title } = selection.node.attrs;
  return { src: String(src ?? ''), title: String(title ?? '') };
}

/** Changes the selected embed and keeps it selected. If none is selected, inserts one and puts the cursor after it. */
export function setEmbed(editor: Editor, attributes: Partial<EmbedAttributes>): void {
  focusText(editor)
    .command(({ tr, state }) => {
      const { selection, schema } = state;
      if (selectedEmbed(state)) {
        const all = { ...(selection as NodeSelection).node.attrs, ...attributes };
        tr.setNodeMarkup(selection.from, undefined, all).setSelection(NodeSelection.create(tr.doc, selection.from));
      } else {
        const node = schema.nodes.embed!.create(attributes);
        tr.replaceRangeWith(selection.from, selection.to, node);
        moveAfterEmbed(tr, node);
      }
      closeHistory(tr).scrollIntoView();
      return true;
    })
    .run();
  // Makes the insertion an undo step of its own, whatever is typed before and after.
  editor.view.dispatch(closeHistory(editor.state.tr));
}

/**
 * Turns an address or code pasted on an empty line into an embed. The first undo restores the pasted text, the second
 * removes it.
 */
function handlePaste(view: EditorView, { clipboardData }: ClipboardEvent): boolean {
  const html = clipboardData?.getData('text/html') ?? '';
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  const embed = isOwnCopy(html) || !isOnEmptyLine(view.state) ? undefined : readPastedEmbed(text);
  if (!embed) return false;
  view.dispatch(pastedText(view.state, text));
  view.dispatch(embedInstead(view.state, embed));
  return true;
}

function isOnEmptyLine({ selection: { empty, $from }, schema }: EditorState): boolean {
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parent.childCount > 0) return false;
  // Not everywhere, since a list item, for example, must start with a paragraph.
  return $from.node(-1).canReplaceWith($from.index(-1), $from.indexAfter(-1), schema.nodes.embed!);
}

function pastedText({ tr, schema }: EditorState, text: string): Transaction {
  const marks = text.startsWith('<') ? [] : [schema.marks.link!.create({ href: text })];
  return closeHistory(tr).replaceSelectionWith(schema.text(text, marks), false).setMeta('preventAutolink', true);
}

function embedInstead({ tr, schema, selection: { $from } }: EditorState, embed: FoundEmbed): Transaction {
  const node = schema.nodes.embed!.create(attributesOf(embed, embed.title));
  closeHistory(tr).replaceWith($from.before(), $from.after(), node);
  moveAfterEmbed(tr, node);
  return tr.scrollIntoView();
}

/** Moves the cursor after the embed. Selecting the embed would let the next keystroke replace it. */
function moveAfterEmbed(tr: Transaction, embed: DocumentNode): void {
  tr.doc.descendants((node, at) => {
    if (node !== embed) return;
    const $after = tr.doc.resolve(at + node.nodeSize);
    const isEdge = !$after.nodeAfter || $after.nodeAfter.isAtom;
    tr.setSelection(isEdge ? new GapCursor($after) : Selection.near($after));
  });
}
