import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';

const words = strings.pages;

/** A move that would change the addresses of several pages. `count` is undefined while they are being counted. */
export interface PlannedMove {
  readonly row: PageRow;
  readonly place: Place;
  readonly count: number | undefined;
}

interface MoveDialogProps {
  readonly planned: PlannedMove | undefined;
  readonly onCancel: () => void;
  readonly onMove: (row: PageRow, place: Place) => void;
}

export function MoveDialog({ planned, onCancel, onMove }: MoveDialogProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isCounted = planned?.count !== undefined;
  // Keeps the focus where it is if the user has moved it to another button by then.
  useEffect(() => {
    if (isCounted && document.activeElement === text.current) button.current?.focus();
  }, [isCounted]);
  return (
    <Dialog opened={planned !== undefined} onClose={onCancel} title={words.moveTitle} centered>
      {planned && (
        <>
          {/* Has the focus until the count is known: keys must not reach the page behind the dialog. */}
          <Text ref={text} tabIndex={-1} data-autofocus={!isCounted || undefined}>
            {planned.count === undefined
              ? words.moveCounting(planned.row.page.name)
              : words.moveText(planned.row.page.name, planned.count)}
          </Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {strings.cancel}
            </Button>
            <Button
              ref={button}
              loading={!isCounted}
              onClick={() => onMove(planned.row, planned.place)}
              data-autofocus={isCounted || undefined}
            >
              {words.moveConfirm(planned.count)}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
