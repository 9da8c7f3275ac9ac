import { useRef, useState } from 'react';
import { api } from '../../api.ts';
import type { MediaJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { queryClient } from '../../queries.ts';
import type { ShownImage } from './written-images.ts';

/**
 * The images that have just come and of which nobody has said what they show, one question after another. What is asked
 * follows the text: it goes with its image, and comes back with it.
 */
export function useAltQuestions(images: readonly ShownImage[], setAlt: (src: string, alt: string) => void) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  /** Those of one's own, by their addresses. */
  const own = useRef(new Map<string, number>());
  const unsaid = new Set(images.filter(({ alt }) => alt === null).map(({ src }) => src));
  const first = asked.find((src) => unsaid.has(src));
  return {
    first,
    later: () => setAsked((before) => before.filter((src) => src !== first)),
    ask: (sources: readonly string[]) => setAsked((before) => [...new Set([...before, ...sources])]),
    own: ({ src, id }: MediaJson) => own.current.set(src, id),
    answer: (alt: string) => {
      if (first === undefined) return;
      setAlt(first, alt);
      const id = own.current.get(first);
      if (id !== undefined) describe(id, alt);
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
