import { Button, Group, Modal, Text } from '@mantine/core';
import { strings } from '../../strings.ts';
import type { PageRow, Place } from './rows.ts';

const words = strings.pages;

/** A move that would change the addresses of many pages. */
export interface PlannedMove {
  readonly row: PageRow;
  readonly place: Place;
  readonly count: number;
}

interface MoveDialogProps {
  readonly planned: PlannedMove | undefined;
  readonly onCancel: () => void;
  readonly onMove: (row: PageRow, place: Place) => void;
}

export function MoveDialog({ planned, onCancel, onMove }: MoveDialogProps) {
  return (
    <Modal
      opened={planned !== undefined}
      onClose={onCancel}
      title={words.moveTitle}
      centered
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      {planned && (
        <>
          <Text>{words.moveText(planned.row.page.name, planned.count)}</Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {strings.cancel}
            </Button>
            <Button onClick={() => onMove(planned.row, planned.place)} data-autofocus>
              {words.moveConfirm(planned.count)}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
