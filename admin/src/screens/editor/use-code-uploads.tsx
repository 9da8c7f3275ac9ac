import type { EditorView } from '@codemirror/view';
import { useRef, useState } from 'react';
import type { MediaJson } from '../../contract.ts';
import { AltQuestion } from './alt-question.tsx';
import { codeUploads, replaceAll, uploadIntoCode } from './code-uploads.ts';
import { useAltQuestions } from './use-alt-questions.ts';

/** What is written of an image. */
export interface CodeImage extends Pick<MediaJson, 'src' | 'width' | 'height'> {
  alt: string;
}

/** Uploads into an editor of text, and the question what each image shows. `write` says how images are written there. */
export function useCodeUploads(write: (image: CodeImage) => string) {
  const view = useRef<EditorView>(undefined);
  const questions = useAltQuestions((media, alt) => {
    if (!view.current) return;
    const { state } = view.current;
    view.current.dispatch(replaceAll(state, write({ ...media, alt: '' }), write({ ...media, alt })));
  });
  const ask = useRef(questions.ask);
  ask.current = questions.ask;
  const written = (media: MediaJson) => write({ ...media, alt: media.alt ?? '' });
  const [extension] = useState(() => codeUploads(written, (media) => ask.current(media)));
  return {
    extension,
    upload: (into: EditorView, files: readonly File[]) =>
      uploadIntoCode(into, files, into.state.selection.main.to, written, (media) => ask.current(media)),
    question: (now: EditorView) => {
      view.current = now;
      const { first, answer, later } = questions;
      if (!first) return null;
      const done = (alt: string) => {
        answer(alt);
        now.focus();
      };
      return <AltQuestion src={first.src} alt="" isNew onAnswer={done} onLater={later} />;
    },
  };
}
