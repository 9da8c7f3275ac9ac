import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ChevronLeft, ChevronRight, ImageOff, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import type { MediaJson } from '../../../contract.ts';
import { showError } from '../../../explain.ts';
import { queryClient } from '../../../queries.ts';
import { strings } from '../../../strings.ts';
import { AltTextForm } from './alt-text-form.tsx';
import type { ShownImage } from './image-markup.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

interface DescriptionsOptions {
  readonly images: readonly ShownImage[];
  readonly setAlt: (src: string, alt: string) => void;
  readonly show: (src: string) => void;
  readonly focus: () => void;
}

/**
 * Asks for the descriptions of images without one, one after the other. The question opens for new images and on request;
 * otherwise, a reminder shows how many there are. Both follow changes to the text.
 */
export function useDescriptions({ images, setAlt, show, focus }: DescriptionsOptions) {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  /** Images that were inserted while the screen had no room for the question beside the text. */
  const [postponed, setPostponed] = useState<ReadonlySet<string>>(new Set());
  const isSmall = useMediaQuery('(max-width: 30em)') ?? false;
  /** True while the user goes through all images without a description, not only the new ones. */
  const [isOpened, setOpened] = useState(false);
  const [current, setCurrent] = useState<string>();
  /** The text being typed for each image. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  /** The ids of the site's own images, by their addresses. */
  const mediaIds = useRef(new Map<string, number>());
  const input = useRef<HTMLInputElement>(null);
  const withoutAlt = [...new Set(images.filter(({ alt }) => alt === null).map(({ src }) => src))];
  const count = withoutAlt.length;
  const pending = isOpened ? withoutAlt : withoutAlt.filter((src) => fresh.has(src));
  const isPostponed = withoutAlt.some((one) => postponed.has(one));
  const src = current !== undefined && pending.includes(current) ? current : pending[0];
  useEffect(() => {
    // Otherwise the question would open by itself for the next image.
    if (count === 0) setOpened(false);
    else if (isOpened) input.current?.focus();
  }, [isOpened, count === 0]);

  const go = (by: number) => {
    const next = pending[(pending.indexOf(src!) + by + pending.length) % pending.length];
    setCurrent(next);
  };
  const answer = (alt: string) => {
    go(1);
    setAlt(src!, alt);
    const id = mediaIds.current.get(src!);
    if (id !== undefined) describe(id, alt);
    // The pressed button may be gone or disabled.
    if (pending.length > 1) input.current?.focus();
    else focus();
  };
  const open = () => {
    setOpened(true);
    setCurrent((before) => withoutAlt.find((one) => postponed.has(one)) ?? before);
    setPostponed(new Set());
  };
  const postpone = () => {
    setFresh(new Set());
    setPostponed(new Set());
    setOpened(false);
    focus();
  };

  const position = pending.length > 1 && src !== undefined && words.position(pending.indexOf(src) + 1, pending.length);
  let panel: ReactNode = null;
  let reminder: ReactNode = null;
  if (src !== undefined) {
    panel = (
      <AltTextForm
        src={src}
        alt={null}
        label={words.question}
        text={texts[src] ?? ''}
        input={input}
        onText={(text) => setTexts((before) => ({ ...before, [src]: text }))}
        onAnswer={answer}
        onShow={() => show(src)}
      >
        <Button size="xs" variant="subtle" onClick={postpone}>
          {words.later}
        </Button>
        {pending.length > 1 && (
          <Group gap={4} ms="auto" wrap="nowrap">
            <ActionIcon size={30} aria-label={words.previous} onClick={() => go(-1)}>
              <ChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <Text size="sm">{position}</Text>
            <ActionIcon size={30} aria-label={words.next} onClick={() => go(1)}>
              <ChevronRight size={18} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </AltTextForm>
    );
  } else if (count > 0) {
    const imagesWithoutAlt = (
      <div className={classes.withoutAlt}>
        <ImageOff size={16} aria-hidden />
        <Text size="sm">{words.withoutAlt(count)}</Text>
        <Button size="compact-sm" variant="subtle" onClick={open}>
          {words.describe(count)}
        </Button>
        {isPostponed && (
          <ActionIcon size={30} aria-label={words.later} onClick={postpone}>
            <X size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
    );
    if (isPostponed) panel = imagesWithoutAlt;
    else reminder = imagesWithoutAlt;
  }
  return {
    isAsking: src !== undefined,
    /** Always mounted, because screen readers announce only changes in it. */
    announcement: (
      <VisuallyHidden role="status">
        {src !== undefined ? words.question : isPostponed && words.withoutAlt(count)} {position}
      </VisuallyHidden>
    ),
    panel,
    reminder,
    ask: (sources: readonly string[]) => {
      const add = isSmall ? setPostponed : setFresh;
      add((before) => new Set([...before, ...sources]));
    },
    recordId: ({ src: address, id }: MediaJson) => mediaIds.current.set(address, id),
    /** Records that an image has a new address. */
    rename: (from: string, to: string) => {
      for (const set of [setFresh, setPostponed])
        set((before) => (before.has(from) ? new Set([...before, to]) : before));
      setTexts((before) => (before[from] === undefined ? before : { ...before, [to]: before[from] }));
      setCurrent((before) => (before === from || (before === undefined && src === from) ? to : before));
    },
  };
}

/** Saves a description, which is suggested the next time that the image is chosen. */
export function describe(id: number, alt: string): void {
  api
    .describeMedia(id, alt)
    .then(() => queryClient.invalidateQueries({ queryKey: ['media'] }))
    .catch(showError);
}
