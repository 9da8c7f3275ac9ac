import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { MediaJson } from '../../contract.ts';
import { showDone } from '../../parts/undo.tsx';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { copyOf } from './foreign-copy.ts';
import { uploadBox } from './upload-box.ts';
import classes from './uploads.module.css';

const words = strings.editor.foreignImages;

interface ForeignImages {
  /** Says that these have come into the text. Addresses of this site are none of them. */
  readonly announce: (sources: readonly string[]) => void;
  readonly notice: ReactNode;
}

/**
 * Images that have come into a text and stay where they are, on websites of others: says so, and makes copies where that
 * is wanted and possible. `onCopied` puts the copy in the place of the address, `onEnd` leads the keyboard back.
 */
export function useForeignImages(onCopied: (src: string, media: MediaJson) => void, onEnd: () => void): ForeignImages {
  const { address: site } = useSession().account;
  const [found, setFound] = useState<readonly string[]>([]);
  const [state, setState] = useState<'new' | 'busy' | 'refused'>('new');
  /** Which copying counts: none that was begun before the person went, or left the images there. */
  const turn = useRef(0);
  const stop = () => {
    turn.current += 1;
  };
  useEffect(() => stop, []);
  const place = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that was pressed is gone.
    if (state === 'refused' && document.activeElement === document.body) close.current?.focus();
  }, [state]);
  const latest = useRef(onCopied);
  latest.current = onCopied;
  const announce = (sources: readonly string[]) => {
    const foreign = sources.filter((src) => /^https?:/i.test(src) && !src.startsWith(`${site}/`));
    if (foreign.length === 0) return;
    setFound((before) => [...new Set([...before, ...foreign])]);
    setState((before) => (before === 'busy' ? before : 'new'));
  };
  const end = () => {
    stop();
    setFound([]);
    setState('new');
    onEnd();
  };
  const copy = async () => {
    setState('busy');
    const mine = turn.current;
    let isRefused = false;
    const done = new Set<string>();
    for (const src of found) {
      const file = await copyOf(src);
      if (turn.current !== mine) return;
      isRefused ||= file === undefined;
      // Where that does not work, the box says why.
      const media = file && (await uploadBox(file).done);
      if (turn.current !== mine) return;
      if (!media) continue;
      latest.current(src, media);
      done.add(src);
    }
    setFound((before) => before.filter((src) => !done.has(src)));
    setState(isRefused ? 'refused' : 'new');
    if (done.size > 0) showDone(words.copied(done.size));
    // The button that was pressed goes; whoever has gone on meanwhile stays where they are.
    const at = document.activeElement;
    if (done.size === found.length && (at === document.body || place.current?.contains(at))) onEnd();
  };
  const count = found.length;
  const notice = count > 0 && (
    <div ref={place} className={classes.foreign} role="status">
      <Text size="sm">{state === 'refused' ? words.refused(count) : words.found(count)}</Text>
      <Group gap={8} mt={8}>
        {state !== 'refused' && (
          <Button size="xs" variant="default" loading={state === 'busy'} onClick={() => void copy()}>
            {words.copy(count)}
          </Button>
        )}
        <Button ref={close} size="xs" variant="subtle" onClick={end}>
          {state === 'refused' ? strings.close : words.leave(count)}
        </Button>
      </Group>
    </div>
  );
  return { announce, notice };
}
