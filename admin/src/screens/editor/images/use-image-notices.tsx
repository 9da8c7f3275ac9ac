import { type ReactNode, useEffect, useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import type { ShownImage } from './image-markup.ts';
import { UploadBatch } from './upload-batch.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useDescriptions } from './use-descriptions.tsx';
import { useForeignImages } from './use-foreign-images.tsx';

/** The images of a text, and the editor's operations on them. */
interface TextImages {
  /** The images that the text contains now. */
  readonly images: readonly ShownImage[];
  /** Sets the alternative text of the images with this address that have none. */
  readonly setAlt: (src: string, alt: string) => void;
  /** Replaces the images with this address by one of the site's own. */
  readonly replace: (src: string, media: MediaJson) => void;
  /** Scrolls to the first image with this address. */
  readonly show: (src: string) => void;
  /** Moves the keyboard focus back to the text. */
  readonly focus: () => void;
}

interface ImageNotices {
  /** Reports images that were inserted into the text: their addresses, or one that was uploaded. */
  readonly arrive: (images: readonly string[] | MediaJson) => void;
  readonly batch: UploadBatch;
  /** True while the question for an image's description is open. */
  readonly isAsking: boolean;
  /** The upload progress and the question, which must stay in view. */
  readonly pinned: ReactNode;
  readonly notices: ReactNode;
}

/** Returns the notices and questions about the images of a text. They follow changes to the text. */
export function useImageNotices({ replace, ...text }: TextImages): ImageNotices {
  const [batch] = useState(() => new UploadBatch());
  useEffect(() => batch.abort, [batch]);
  const descriptions = useDescriptions(text);
  const foreign = useForeignImages(
    text.images,
    batch,
    (src, media) => {
      descriptions.recordId(media);
      descriptions.rename(src, media.src);
      replace(src, media);
    },
    text.focus,
  );
  const arrive = (come: readonly string[] | MediaJson) => {
    if ('src' in come) {
      descriptions.recordId(come);
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
    pinned: (
      <>
        <UploadProgress batch={batch} onEnd={text.focus} />
        {descriptions.panel}
      </>
    ),
    notices: (
      <>
        {foreign.notice}
        {descriptions.announcement}
        {descriptions.reminder}
      </>
    ),
  };
}
