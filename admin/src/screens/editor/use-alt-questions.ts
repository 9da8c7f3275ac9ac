import { useState } from 'react';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { queryClient } from '../../queries.ts';

/** The images that were just uploaded and of which nobody has said what they show, one question after another. */
export function useAltQuestions(setAlt: (media: MediaJson, alt: string) => void) {
  const [asked, setAsked] = useState<readonly MediaJson[]>([]);
  const done = () => setAsked(([, ...rest]) => rest);
  const [first] = asked;
  return {
    first,
    later: done,
    /** What the same image was said to show before is not asked again. */
    ask: (media: MediaJson) => {
      if (media.alt === null) setAsked((before) => [...before.filter(({ id }) => id !== media.id), media]);
    },
    answer: (alt: string) => {
      if (!first) return;
      done();
      setAlt(first, alt);
      describe(first.id, alt);
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
