import type { EditorView } from '@codemirror/view';
import { useRef, useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { useSession } from '../../../session.ts';
import { type ImageInSource, imageInSource } from '../images/image-in-source.ts';
import type { ShownImage } from '../images/image-markup.ts';
import { useImageNotices } from '../images/use-image-notices.tsx';
import type { WrittenImage } from '../images/written-images.ts';
import { codeUploads, type ImageMarkup, replaceByUpload, uploadIntoCode } from './code-uploads.ts';

/** Uploads images into a CodeMirror editor, and provides its notices and questions about them. */
export function useCodeUploads(markup: ImageMarkup) {
  const view = useRef<EditorView>(undefined);
  const { address: site } = useSession().account;
  const [images, setImages] = useState<readonly ShownImage[]>([]);
  /** Changes all images with this address. */
  const change = (src: string, changesOf: (image: WrittenImage) => ReturnType<WrittenImage['describe']>[]) => {
    if (!view.current) return;
    const all = markup.find(view.current.state).filter((image) => image.src === src);
    view.current.dispatch({ changes: all.flatMap(changesOf), userEvent: 'input' });
  };
  const { arrive, batch, pinned, notices } = useImageNotices({
    images,
    setAlt: (src, alt) => change(src, (image) => (image.alt === null ? [image.describe(alt)] : [])),
    replace: (src, media) => {
      const changed = new Set<number>();
      change(src, ({ address, alt, describe }) => {
        // Several images may share a definition, which must be changed only once.
        const isFirst = !changed.has(address.from);
        changed.add(address.from);
        return [
          ...(isFirst ? [{ ...address, insert: media.src }] : []),
          ...(alt === null && media.alt !== null ? [describe(media.alt)] : []),
        ];
      });
    },
    show: (src) => {
      const image = view.current && markup.find(view.current.state).find((one) => one.src === src);
      if (!image) return;
      view.current?.dispatch({ selection: { anchor: image.from, head: image.to }, scrollIntoView: true });
      view.current?.focus();
    },
    focus: () => {
      view.current?.focus();
      view.current?.dispatch({ scrollIntoView: true });
    },
  });
  const latest = useRef(arrive);
  latest.current = arrive;
  const [extension] = useState(() =>
    codeUploads({
      batch,
      site,
      markup,
      onInserted: (media) => latest.current(media),
      onPasted: (sources) => latest.current(sources),
      onImages: (now) => setImages((before) => (isSame(before, now) ? before : now)),
    }),
  );
  return {
    extension,
    arrive,
    /** Returns the image at the cursor. */
    imageAt: ({ state }: EditorView) => imageInSource(state, markup.find(state)),
    /** Uploads images to the cursor's position, or only the first one to replace `replaced`. */
    upload: (into: EditorView, files: readonly File[], replaced?: ImageInSource) => {
      const onInserted = (media: MediaJson) => latest.current(media);
      if (replaced) replaceByUpload(into, batch, files[0], replaced, { markup, onInserted });
      else uploadIntoCode(into, batch, files, into.state.selection.main.to, markup, onInserted);
    },
    /** Returns the notices and questions about the images in this editor. */
    noticesOf: (now: EditorView) => {
      view.current = now;
      return { asked: pinned, notices };
    },
  };
}

function isSame(some: readonly ShownImage[], others: readonly ShownImage[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ src, alt }, index) => src === others[index]!.src && alt === others[index]!.alt)
  );
}
