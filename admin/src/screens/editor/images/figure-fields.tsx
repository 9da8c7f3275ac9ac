import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { strings } from '../../../strings.ts';
import { type ImageSize, imageSizes } from './image-layout.ts';
import type { NewImage } from './image-signs.ts';

const words = strings.editor.imageTools;

/** Holds the size and the caption of a new image, and returns the fields for them: nothing where neither is asked for. */
export function useFigure(isAsked: boolean): { figure: Pick<NewImage, 'size' | 'caption'>; fields: ReactNode } {
  const [size, setSize] = useState<ImageSize>('normal');
  const [caption, setCaption] = useState('');
  if (!isAsked) return { figure: {}, fields: null };
  const fields = (
    <>
      <Input.Wrapper label={words.size} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.size}
          value={size}
          onChange={(value) => setSize(value as ImageSize)}
          data={imageSizes.map((value) => ({ value, label: words.sizes[value] }))}
        />
      </Input.Wrapper>
      <TextInput
        label={words.caption}
        value={caption}
        onChange={({ currentTarget }) => setCaption(currentTarget.value)}
      />
    </>
  );
  return { figure: { size, caption: caption.trim() }, fields };
}
