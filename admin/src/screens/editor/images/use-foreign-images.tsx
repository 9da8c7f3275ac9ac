import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { MediaJson } from '../../../contract.ts';
import { SmallButton } from '../../../parts/small-button.tsx';
import { showDone } from '../../../parts/undo.tsx';
import { useSession } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { fileOfData } from './data-file.ts';
import { fetchImageFile } from './foreign-copy.ts';
import type { ShownImage } from './image-markup.ts';
import type { UploadBatch } from './upload-batch.ts';
import classes from './uploads.module.css';

const words = strings.editor.foreignImages;

interface ForeignImages {
  /** Reports the addresses of inserted images. Ignores the site's own images, and uploads images in data: URLs. */
  readonly announce: (sources: readonly string[]) => void;
  readonly notice: ReactNode;
}

/**
 * Handles images that were inserted into a text but are still on other websites. Shows a notice while the text contains
 * them, and copies them on request if possible. `onCopied` replaces the address by the copy. `onEnd` moves the keyboard
 * focus back to the text.
 */
export function useForeignImages(
  images: readonly ShownImage[],
  batch: UploadBatch,
  onCopied: (src: string, media: MediaJson) => void,
  onEnd: () => void,
): ForeignImages {
  const { address: site } = useSession().account;
  const [announced, setAnnounced] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const found = [...new Set(images.map(({ src }) => src))].filter((src) => announced.has(src));
  const count = found.length;
  const isRefused = count > 0 && found.every((src) => refused.has(src));
  /**
   * Identifies the current copying. Copying from before the user left the screen, or chose to leave the images there, is
   * ignored.
   */
  const currentRun = useRef(0);
  const stop = () => {
    currentRun.current += 1;
  };
  useEffect(() => stop, []);
  const place = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button has disappeared.
    if (isRefused && document.activeElement === document.body) close.current?.focus();
  }, [isRefused]);
  const latest = useRef(onCopied);
  latest.current = onCopied;
  const announce = (sources: readonly string[]) => {
    const foreign = sources.filter((src) => /^https?:/i.test(src) && !src.startsWith(`${site}/`));
    // Images in data: URLs are uploaded without asking. Until then, the text keeps their data.
    for (const [index, src] of sources.entries()) {
      const file = fileOfData(src, `image-${index + 1}`);
      const insert = (media: MediaJson) => {
        latest.current(src, media);
        return true;
      };
      if (file) batch.add(file, { insert });
    }
    if (foreign.length > 0) setAnnounced((before) => new Set([...before, ...foreign]));
  };
  const dismiss = () => {
    stop();
    setBusy(false);
    setAnnounced((before) => new Set([...before].filter((src) => !found.includes(src))));
    onEnd();
  };
  const copy = async () => {
    setBusy(true);
    const run = currentRun.current;
    const uploads: Promise<boolean>[] = [];
    for (const src of found) {
      const file = await fetchImageFile(src);
      if (currentRun.current !== run) return;
      if (!file) setRefused((before) => new Set([...before, src]));
      else {
        const insert = (media: MediaJson) => {
          // If the user has meanwhile chosen to leave the images there, the text keeps its address.
          if (currentRun.current === run) latest.current(src, media);
          return true;
        };
        uploads.push(batch.add(file, { insert }).done);
      }
    }
    const done = (await Promise.all(uploads)).filter(Boolean).length;
    if (currentRun.current !== run) return;
    setBusy(false);
    if (done > 0) showDone(words.copied(done));
    // The pressed button disappears, unless the user has moved the focus meanwhile.
    const at = document.activeElement;
    if (done === found.length && (at === document.body || place.current?.contains(at))) onEnd();
  };
  // Always mounted, because screen readers announce only changes in it.
  const notice = (
    <div ref={place} className={count > 0 ? classes.foreign : undefined} role="status">
      {count > 0 && (
        <>
          <Text size="sm">{isRefused ? words.refused(count) : words.found(count)}</Text>
          <Group gap={8} mt={8}>
            {!isRefused && (
              <SmallButton loading={isBusy} onClick={() => void copy()}>
                {words.copy(count)}
              </SmallButton>
            )}
            <Button ref={close} size="xs" variant="subtle" onClick={dismiss}>
              {isRefused ? strings.close : words.leave(count)}
            </Button>
          </Group>
        </>
      )}
    </div>
  );
  return { announce, notice };
}
