import { Button } from '@mantine/core';
import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { focusOn } from './use-restored-focus.ts';

interface MoreButtonProps {
  readonly label: string;
  /** The element that contains the items. */
  readonly list: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<{ readonly isError: boolean }>;
  };
}

/** Loads more of a list. After a key press, moves the focus to the first new item: the button is now far below it, or gone. */
export function MoreButton({ label, list, count, query }: MoreButtonProps) {
  const before = useRef<number>(undefined);
  useEffect(() => {
    if (before.current === undefined || count <= before.current) return;
    const first = [...list.current!.querySelectorAll('li')].at(before.current - count);
    before.current = undefined;
    if (first) focusOn(first.querySelector<HTMLElement>(':scope > button') ?? first);
  }, [list, count]);
  const more = async ({ detail }: MouseEvent) => {
    // `detail` is 0 if the keyboard pressed the button, and counts the clicks of a pointer.
    if (detail === 0) before.current = count;
    const { isError } = await query.fetchNextPage();
    if (isError) before.current = undefined;
  };
  if (!query.hasNextPage) return null;
  return (
    <Button mt="lg" variant="default" loading={query.isFetchingNextPage} onClick={(event) => void more(event)}>
      {label}
    </Button>
  );
}
