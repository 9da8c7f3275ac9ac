import type { EditorView } from '@codemirror/view';
import { useRef, useState } from 'react';
import { useSession } from '../../session.ts';
import { AltQuestion } from './alt-question.tsx';
import { codeUploads, replaceAll, uploadIntoCode } from './code-uploads.ts';
import { foreignImages } from './image-addresses.ts';
import { type NewImage, useAltQuestions } from './use-alt-questions.ts';
import { useForeignImages } from './use-foreign-images.tsx';

/** What is written of an image. */
export interface CodeImage extends Pick<NewImage, 'src' | 'width' | 'height'> {
  alt: string;
}

/** Images that come into an editor of text, and what is asked of each. `write` says how images are written there. */
export function useCodeUploads(write: (image: CodeImage) => string) {
  const view = useRef<EditorView>(undefined);
  const { address: site } = useSession().account;
  const setAlt = (image: NewImage, alt: string) => {
    if (!view.current) return;
    const { state } = view.current;
    view.current.dispatch(replaceAll(state, write({ ...image, alt: '' }), write({ ...image, alt })));
  };
  const questions = useAltQuestions(setAlt);
  const foreign = useForeignImages(
    (src, media) => {
      if (!view.current) return;
      const { doc } = view.current.state;
      const places = foreignImages(doc.toString()).filter((image) => image.src === src);
      const changes = places.map(({ from, to }) => ({ from, to, insert: media.src }));
      view.current.dispatch({ changes, userEvent: 'input' });
      questions.forget(src);
      const { src: own, alt } = media;
      if (alt) setAlt({ src: own, alt: null }, alt);
      else if (view.current.state.doc.toString().includes(write({ src: own, alt: '' })))
        questions.ask({ ...media, alt: null });
    },
    () => view.current?.focus(),
  );
  /** Says of images that stay elsewhere that they do, and asks what they show. */
  const meet = (images: readonly NewImage[]) => {
    foreign.announce(images.map(({ src }) => src));
    for (const image of images) questions.ask(image);
  };
  const latest = useRef({ ask: questions.ask, meet });
  latest.current = { ask: questions.ask, meet };
  const written = (image: NewImage) => write({ ...image, alt: image.alt ?? '' });
  const [extension] = useState(() =>
    codeUploads({
      site,
      write: written,
      onInserted: (media) => latest.current.ask(media),
      onForeign: (images) => latest.current.meet(images),
    }),
  );
  return {
    extension,
    meet,
    upload: (into: EditorView, files: readonly File[]) =>
      uploadIntoCode(into, files, into.state.selection.main.to, written, (media) => latest.current.ask(media)),
    /** What is said and asked of the images in that editor. */
    notices: (now: EditorView) => {
      view.current = now;
      const { first, answer, later } = questions;
      const done = (alt: string) => {
        answer(alt);
        now.focus();
      };
      return (
        <>
          {foreign.notice}
          {first && <AltQuestion src={first.src} alt="" isNew onAnswer={done} onLater={later} />}
        </>
      );
    },
  };
}
