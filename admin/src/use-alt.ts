import { type ChangeEvent, useState } from 'react';
import type { MediaJson } from './contract.ts';
import { strings } from './strings.ts';

/**
 * Holds an image's description, or the choice that it is decorative, while it is edited. Starts with `typed`, or else the
 * saved description.
 */
export function useAlt(image: Pick<MediaJson, 'id' | 'alt'> | undefined, typed?: string) {
  const [text, setText] = useState(typed ?? image?.alt ?? '');
  const [isDecorative, setDecorative] = useState(image?.alt === '');
  const [imageId, setImageId] = useState(image?.id);
  // Only another image resets the text; newer data about the same image does not.
  if (imageId !== image?.id) {
    setImageId(image?.id);
    setText(image?.alt ?? '');
    setDecorative(image?.alt === '');
  }
  const said = isDecorative ? '' : text.trim();
  // An empty description is a change only if the user chose "decorative".
  const isNew = (said !== '' || isDecorative) && said !== image?.alt;
  return {
    said,
    isDecorative,
    isNew,
    /** The props of the description's field, and of the checkbox for decorative images. */
    field: {
      value: text,
      maxLength: 1000,
      disabled: isDecorative,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        setText(currentTarget.value),
    },
    checkbox: {
      label: strings.editor.imageDialog.decorative,
      checked: isDecorative,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => setDecorative(currentTarget.checked),
    },
  };
}
