import { html } from '@codemirror/lang-html';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { nonce } from '../../nonce.ts';
import classes from './editor.module.css';

export interface Side {
  readonly label: string;
  readonly text: string;
}

interface CompareProps {
  readonly left: Side;
  readonly right: Side;
  readonly format: BodyFormat | '';
}

const look = EditorView.theme({
  '&': { fontSize: '13.5px' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', padding: '10px 0' },
  '&.cm-merge-a .cm-changedLine': { background: 'color-mix(in srgb, #d33 12%, transparent)' },
  '&.cm-merge-b .cm-changedLine': { background: 'color-mix(in srgb, #2a7 14%, transparent)' },
  '&.cm-merge-a .cm-changedText': { background: 'color-mix(in srgb, #d33 30%, transparent)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, #2a7 32%, transparent)' },
  '.cm-collapsedLines': { background: 'var(--app-hover)', color: 'var(--mantine-color-dimmed)' },
});

/** Two texts side by side, with what differs marked. */
export default function Compare({ left, right, format }: CompareProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const extensions = (label: string) => [
      EditorView.cspNonce.of(nonce),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
      format === 'markdown_format' ? markdown({ base: markdownLanguage }) : html(),
      look,
    ];
    const view = new MergeView({
      a: { doc: left.text, extensions: extensions(left.label) },
      b: { doc: right.text, extensions: extensions(right.label) },
      parent: place.current!,
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: false,
    });
    return () => view.destroy();
  }, [left.label, left.text, right.label, right.text, format]);
  return (
    <div className={classes.compare}>
      <div className={classes.compareHead}>
        <span>{left.label}</span>
        <span>{right.label}</span>
      </div>
      <div ref={place} />
    </div>
  );
}
