import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';

const words = strings.pages;

/** A move that would change the addresses of many pages; how many is undefined while they are counted. */
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
  // Not if the focus has moved to another button by then.
  useEffect(() => {
    if (isCounted && document.activeElement === text.current) button.current?.focus();
  }, [isCounted]);
  return (
    <Dialog opened={planned !== undefined} onClose={onCancel} title={words.moveTitle} centered>
      {planned && (
        <>
          {/* Takes the focus until then: keys must not reach the page behind. */}
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
