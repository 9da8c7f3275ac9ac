import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { showError } from '../explain.ts';
import { strings } from '../strings.ts';

/** Does it at once, or says when it is done. */
type Undo = (() => Promise<unknown>) | (() => void);

/** Says what was done and offers to undo it. */
export function showUndo(message: string, undo: Undo): void {
  const id = notifications.show({
    color: 'ink',
    autoClose: 12_000,
    withBorder: true,
    message: <Undoable message={message} undo={undo} onDone={() => notifications.hide(id)} />,
  });
}

function Undoable({ message, undo, onDone }: { message: string; undo: Undo; onDone: () => void }) {
  const [isPending, setPending] = useState(false);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{message}</Text>
      <Button
        size="xs"
        variant="light"
        flex="none"
        loading={isPending}
        onClick={() => {
          setPending(true);
          const undone = undo();
          if (undone instanceof Promise) undone.catch(showError).finally(onDone);
          else onDone();
        }}
      >
        {strings.undo}
      </Button>
    </Group>
  );
}

export function showDone(message: string): void {
  notifications.show({ color: 'ink', message, withBorder: true });
}
