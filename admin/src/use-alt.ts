import { useState } from 'react';
import type { MediaJson } from './contract.ts';

/**
 * What is being said of an image: what it shows, or that it shows nothing. It begins with what was said before, or with what
 * was typed since.
 */
export function useAlt(image: Pick<MediaJson, 'id' | 'alt'> | undefined, typed?: string) {
  const [text, setText] = useState(typed ?? image?.alt ?? '');
  const [isDecorative, setDecorative] = useState(image?.alt === '');
  const [of, setOf] = useState(image?.id);
  // Another image, and not the same told anew: what is being written stays.
  if (of !== image?.id) {
    setOf(image?.id);
    setText(image?.alt ?? '');
    setDecorative(image?.alt === '');
  }
  const said = isDecorative ? '' : text.trim();
  // Nothing said is not the same as nothing to be said.
  const isNew = (said !== '' || isDecorative) && said !== image?.alt;
  return { text, setText, isDecorative, setDecorative, said, isNew };
}
