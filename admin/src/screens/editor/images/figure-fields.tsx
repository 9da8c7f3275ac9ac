import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { strings } from '../../../strings.ts';
import { withScheme } from '../toolbar/link-dialog.tsx';
import { hasSides, type ImageSide, type ImageSize, imageSides, imageSizes } from './image-layout.ts';
import type { NewImage } from './image-markup.ts';

const words = strings.editor.imageTools;

/** The choice of no side: the image has a line to itself. */
const NO_SIDE = 'none';
const sides = [NO_SIDE, ...imageSides] as const;

type FigureFields = Pick<NewImage, 'size' | 'side' | 'caption' | 'link'>;

/**
 * Holds the size, side, caption and link of an image, initially those of `given`. Returns them and their fields, or neither
 * unless `isAsked`.
 */
export function useFigure(isAsked: boolean, given: FigureFields = {}): { figure: FigureFields; fields: ReactNode } {
  const [size, setSize] = useState<ImageSize>(given.size ?? 'normal');
  const [side, setSide] = useState<ImageSide | undefined>(given.side);
  const [caption, setCaption] = useState(given.caption ?? '');
  const [link, setLink] = useState(given.link ?? '');
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
      <Input.Wrapper label={words.side} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.side}
          disabled={!hasSides(size)}
          value={hasSides(size) ? (side ?? NO_SIDE) : NO_SIDE}
          onChange={(value) => setSide(imageSides.find((one) => one === value))}
          data={sides.map((value) => ({ value, label: words.sides[value] }))}
        />
      </Input.Wrapper>
      <TextInput
        label={words.caption}
        value={caption}
        onChange={({ currentTarget }) => setCaption(currentTarget.value)}
      />
      <TextInput
        label={words.link}
        description={words.linkHelp}
        value={link}
        onChange={({ currentTarget }) => setLink(currentTarget.value)}
      />
    </>
  );
  const address = link.trim() && withScheme(link.trim());
  return { figure: { size, side: hasSides(size) ? side : undefined, caption: caption.trim(), link: address }, fields };
}
