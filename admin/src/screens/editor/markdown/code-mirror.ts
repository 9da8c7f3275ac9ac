import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { nonce } from '../../../nonce.ts';
import { coveredMargins } from '../toolbar/editor-bar.tsx';
import { preserveLineEnds, textWithLineEnds } from './line-ends.ts';

/* The settings that all CodeMirror editors share. */

const theme = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', fontSize: 'var(--app-code)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.65', padding: '20px 0' },
  // Limits the line length by padding, so that clicks beside the text still set the cursor.
  '.cm-line': { padding: '0 max(20px, calc(50% - 24rem))' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--mantine-primary-color-filled) 28%, transparent)',
  },
  // Keeps panels in view below the toolbar.
  '.cm-panels': { zIndex: 2, background: 'var(--app-panel)', color: 'inherit' },
  '.cm-panels.cm-panels-top': { top: 'var(--app-covered)', borderBottom: '1px solid var(--app-line)' },
  '.cm-panel.cm-search': { padding: '6px 44px 6px 20px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search label': { fontSize: '14px', whiteSpace: 'nowrap' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '8px', width: '32px', height: '32px', fontSize: '20px' },
  '.cm-textfield, .cm-button': {
    minHeight: '32px',
    border: '1px solid var(--mantine-color-dimmed)',
    borderRadius: '6px',
    background: 'var(--app-panel)',
    fontSize: 'var(--app-find)',
  },
  '.cm-button:hover': { background: 'var(--app-hover)' },
});

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700', color: 'var(--mantine-color-anchor)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  {
    tag: [tags.processingInstruction, tags.meta, tags.comment, tags.contentSeparator],
    color: 'var(--mantine-color-dimmed)',
  },
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--mantine-color-anchor)' },
  { tag: tags.attributeName, color: 'var(--mantine-color-dimmed)' },
]);

/** Publishes the page in the app's own handler. CodeMirror would insert an empty line. */
const publishKey: KeyBinding = { key: 'Mod-Enter', run: () => true };

interface CodeOptions {
  readonly label: string;
  readonly prompt?: string;
  readonly text: string;
  readonly language: Extension;
  readonly keys?: readonly KeyBinding[];
  readonly extension?: Extension;
  readonly onType?: (read: () => string) => void;
}

/**
 * Returns the state of a CodeMirror editor. Keeps line ends, even mixed ones. The Tab key leaves the editor, for keyboard
 * users.
 */
export function codeState({
  label,
  prompt,
  text,
  language,
  keys = [],
  extension = [],
  onType,
}: CodeOptions): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      preserveLineEnds(text),
      history(),
      drawSelection(),
      bracketMatching(),
      search({ top: true }),
      EditorView.scrollMargins.of(() => coveredMargins),
      EditorView.lineWrapping,
      prompt ? placeholder(prompt) : [],
      language,
      extension,
      syntaxHighlighting(colours),
      theme,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', autocapitalize: 'sentences' }),
      keymap.of([...keys, publishKey, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      ...(onType
        ? [EditorView.updateListener.of((update) => update.docChanged && onType(() => textWithLineEnds(update.state)))]
        : [EditorState.readOnly.of(true), EditorView.editable.of(false)]),
    ],
  });
}
