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
  /** Read only once, when the editor is created. */
  readonly extension?: Extension;
  /** Called with every change. Gets a function that reads the text. */
  readonly onType: (read: () => string) => void;
}

/** Creates a CodeMirror editor in the element that takes `place`. A new `text` prop replaces its content. */
export function useCodeMirror({ label, prompt, text, language, keys, extension, onType }: CodeMirrorOptions) {
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
      ...(extension && { extension }),
      onType: (read) =>
        report.current(() => {
          shown.current = read();
          return shown.current;
        }),
    });
  // Created once; later changes are in refs. Both effects are layout effects: a user could type before a passive effect
  // runs, which would then restore the old text.
  useLayoutEffect(() => {
    const made = new EditorView({ state: stateOf(text), parent: place.current! });
    shown.current = text;
    setView(made);
    return () => made.destroy();
  }, []);
  // Only changes of the text matter.
  useLayoutEffect(() => {
    if (!view || text === shown.current) return;
    shown.current = text;
    view.setState(stateOf(text));
  }, [view, text]);
  return { place, view };
}
