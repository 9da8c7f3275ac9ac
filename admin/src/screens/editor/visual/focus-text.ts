import type { ChainedCommands, Editor } from '@tiptap/core';

/** Starts a chain of commands and focuses the text synchronously: Tiptap's `focus` waits for a frame and loses keystrokes. */
export function focusText(editor: Editor): ChainedCommands {
  editor.view.focus();
  return editor.chain().scrollIntoView();
}
