import type { ChainedCommands, Editor } from '@tiptap/core';

/** Commands for the text, which has the keyboard at once: Tiptap's own `focus` waits for a frame, and loses keys until then. */
export function inText(editor: Editor): ChainedCommands {
  editor.view.focus();
  return editor.chain().scrollIntoView();
}
