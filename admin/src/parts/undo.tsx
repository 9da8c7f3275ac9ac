import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { strings } from '../strings.ts';

/** Says what was done and offers to undo it. */
export function showUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    color: 'ink',
    autoClose: 12_000,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="xs"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {strings.undo}
        </Button>
      </Group>
    ),
  });
}

export function showDone(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true });
}
