import type { ReactNode } from 'react';
import type { MediaJson } from '../../contract.ts';
import { AltQuestion } from './alt-question.tsx';
import { useAltQuestions } from './use-alt-questions.ts';
import { useForeignImages } from './use-foreign-images.tsx';
import type { ShownImage } from './written-images.ts';

/** The images of a text, and what an editor does with them there. */
interface TextImages {
  /** As they stand in it now. */
  readonly images: readonly ShownImage[];
  /** Says what those at the address show of which nothing is said. */
  readonly setAlt: (src: string, alt: string) => void;
  /** Puts one's own in the place of those at the address. */
  readonly replace: (src: string, media: MediaJson) => void;
  /** Leads the keyboard back to the text. */
  readonly focus: () => void;
}

interface ImageNotices {
  /** Images have come into the text: those at these addresses, or one that was uploaded. */
  readonly arrive: (images: readonly string[] | MediaJson) => void;
  /** Undefined where nothing is asked. */
  readonly question: ReactNode;
  readonly notice: ReactNode;
}

/** What is said and asked of the images of a text that have come while it is written. All of it follows the text. */
export function useImageNotices({ images, setAlt, replace, focus }: TextImages): ImageNotices {
  const questions = useAltQuestions(images, setAlt);
  const meet = (media: MediaJson) => {
    questions.own(media);
    questions.ask([media.src]);
  };
  const foreign = useForeignImages(
    images,
    (src, media) => {
      replace(src, media);
      meet(media);
    },
    focus,
  );
  const arrive = (come: readonly string[] | MediaJson) => {
    if ('src' in come) return meet(come);
    foreign.announce(come);
    questions.ask(come);
  };
  const { first, answer, later } = questions;
  const question = first !== undefined && (
    <AltQuestion
      src={first}
      alt=""
      isNew
      onAnswer={(alt) => {
        answer(alt);
        focus();
      }}
      onLater={later}
    />
  );
  return { arrive, question, notice: foreign.notice };
}
