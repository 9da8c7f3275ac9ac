import { type ReactNode, useEffect, useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import type { ShownImage } from './image-signs.ts';
import { UploadBatch } from './upload-batch.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useDescriptions } from './use-descriptions.tsx';
import { useForeignImages } from './use-foreign-images.tsx';

/** The images of a text, and what an editor does with them there. */
interface TextImages {
  /** As they stand in it now. */
  readonly images: readonly ShownImage[];
  /** Says what those at the address show of which nothing is said. */
  readonly setAlt: (src: string, alt: string) => void;
  /** Puts one's own in the place of those at the address. */
  readonly replace: (src: string, media: MediaJson) => void;
  /** Leads to the first at the address. */
  readonly show: (src: string) => void;
  /** Leads the keyboard back to the text. */
  readonly focus: () => void;
}

interface ImageNotices {
  /** Images have come into the text: those at these addresses, or one that was uploaded. */
  readonly arrive: (images: readonly string[] | MediaJson) => void;
  /** The uploads of images into this editor. */
  readonly batch: UploadBatch;
  /** Whether it is asked what an image shows. */
  readonly isAsking: boolean;
  /** To be in view wherever one writes. */
  readonly asked: ReactNode;
  readonly notices: ReactNode;
}

/** The notices and questions about the images of a text. They follow the text while it is written. */
export function useImageNotices({ replace, ...text }: TextImages): ImageNotices {
  const [batch] = useState(() => new UploadBatch());
  useEffect(() => batch.end, [batch]);
  const descriptions = useDescriptions(text);
  const foreign = useForeignImages(
    text.images,
    batch,
    (src, media) => {
      descriptions.own(media);
      descriptions.rename(src, media.src);
      replace(src, media);
    },
    text.focus,
  );
  const arrive = (come: readonly string[] | MediaJson) => {
    if ('src' in come) {
      descriptions.own(come);
      descriptions.ask([come.src]);
    } else {
      foreign.announce(come);
      descriptions.ask(come);
    }
  };
  return {
    arrive,
    batch,
    isAsking: descriptions.isAsking,
    asked: (
      <>
        <UploadProgress batch={batch} onEnd={text.focus} />
        {descriptions.panel}
      </>
    ),
    notices: (
      <>
        {foreign.notice}
        {descriptions.told}
        {descriptions.reminder}
      </>
    ),
  };
}
