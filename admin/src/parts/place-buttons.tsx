import { Group } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from './icon-button.tsx';

interface Placed {
  readonly id: number;
  readonly name: string;
}

interface PlaceButtonsProps<T extends Placed> {
  readonly item: T;
  /** The items of the list, in order. */
  readonly among: readonly T[];
  /** Called with the item whose place this item takes. */
  readonly onMove: (place: T) => void;
}

// Not in strings.ts, because only an agency's screens need these texts: the other screens load without them.
const words = {
  up: (name: string, place: string) => `Move “${name}” up, now ${place}`,
  down: (name: string, place: string) => `Move “${name}” down, now ${place}`,
  place: (place: number, count: number) => `${place} of ${count}`,
};

/** The buttons that move an item within a list. The pressed button keeps the focus when its item moves. */
export function PlaceButtons<T extends Placed>({ item, among, onMove }: PlaceButtonsProps<T>) {
  const place = among.findIndex(({ id }) => id === item.id);
  const pressed = useRef<'up' | 'down'>(undefined);
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [up, down] = buttons.current?.querySelectorAll('button') ?? [];
    const wanted = pressed.current === 'up' ? [up, down] : [down, up];
    if (pressed.current) wanted.find((button) => button?.disabled === false)?.focus();
    pressed.current = undefined;
  }, [place]);
  if (among.length < 2) return null;
  const where = words.place(place + 1, among.length);
  const button = (to: 'up' | 'down', other: T | undefined) => (
    <IconButton
      label={words[to](item.name, where)}
      variant="default"
      disabled={!other}
      onClick={() => {
        pressed.current = to;
        if (other) onMove(other);
      }}
    >
      {to === 'up' ? <ArrowUp size={16} aria-hidden /> : <ArrowDown size={16} aria-hidden />}
    </IconButton>
  );
  return (
    <Group ref={buttons} gap={4} wrap="nowrap">
      {button('up', among[place - 1])}
      {button('down', among[place + 1])}
    </Group>
  );
}
