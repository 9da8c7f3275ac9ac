import type { Extension } from '@codemirror/state';
import { EditorView, type KeyBinding } from '@codemirror/view';
import { useLayoutEffect, useRef, useState } from 'react';
import { codeState } from './code-mirror.ts';

interface CodeMirrorOptions {
  readonly label: string;
  readonly prompt?: string;
  readonly text: string;
  readonly language: () => Extension;
  readonly keys?: readonly KeyBinding[];
  /** Taken once, when the editor is made. */
  readonly more?: Extension;
  /** Gets, with every change, the function that reads the text. */
  readonly onType: (read: () => string) => void;
}

/** A CodeMirror in the element that takes `place`. Text that comes from elsewhere replaces what it shows. */
export function useCodeMirror({ label, prompt, text, language, keys, more, onType }: CodeMirrorOptions) {
  const [view, setView] = useState<EditorView>();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(text);
  const report = useRef(onType);
  report.current = onType;
  const stateOf = (content: string) =>
    codeState({
      label,
      ...(prompt && { prompt }),
      text: content,
      language: language(),
      ...(keys && { keys }),
      ...(more && { more }),
      onType: (read) =>
        report.current(() => {
          shown.current = read();
          return shown.current;
        }),
    });
  // Made once; what changes later is in refs. Both effects are at once: somebody may write before the later ones, which
  // would put what was there before in its place.
  useLayoutEffect(() => {
    const made = new EditorView({ state: stateOf(text), parent: place.current! });
    shown.current = text;
    setView(made);
    return () => made.destroy();
  }, []);
  // Only the text counts.
  useLayoutEffect(() => {
    if (!view || text === shown.current) return;
    shown.current = text;
    view.setState(stateOf(text));
  }, [view, text]);
  return { place, view };
}
