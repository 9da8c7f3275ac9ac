import { useState } from 'react';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { queryClient } from '../../queries.ts';

/** An image that has come into the text: one of the account's own, or one that stays elsewhere and has no id. */
export type NewImage = Pick<MediaJson, 'src' | 'alt'> & Partial<Pick<MediaJson, 'id' | 'width' | 'height'>>;

/** The images that have just come and of which nobody has said what they show, one question after another. */
export function useAltQuestions(setAlt: (image: NewImage, alt: string) => void) {
  const [asked, setAsked] = useState<readonly NewImage[]>([]);
  const done = () => setAsked(([, ...rest]) => rest);
  const [first] = asked;
  return {
    first,
    later: done,
    /** What an image was said to show before is not asked again. */
    ask: (image: NewImage) => {
      if (image.alt === null) setAsked((before) => [...before.filter(({ src }) => src !== image.src), image]);
    },
    /** What stood there has another address now. */
    forget: (gone: string) => setAsked((before) => before.filter(({ src }) => src !== gone)),
    answer: (alt: string) => {
      if (!first) return;
      done();
      setAlt(first, alt);
      if (first.id !== undefined) describe(first.id, alt);
    },
  };
}

/** For the next time that the image is chosen. */
export function describe(id: number, alt: string): void {
  api
    .describeMedia(id, alt)
    .then(() => queryClient.invalidateQueries({ queryKey: ['media'] }))
    .catch(showError);
}
