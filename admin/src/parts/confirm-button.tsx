import { Button, Group, Popover, Text } from '@mantine/core';
import { useState } from 'react';
import { strings } from '../strings.ts';

interface ConfirmButtonProps {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => void;
}

/** Only for what nothing can undo. */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width={280} trapFocus position="bottom-end">
      <Popover.Target>
        <Button size="xs" variant="default" onClick={() => setOpened((before) => !before)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={question}>
        <Text size="sm" mb="sm">
          {question}
        </Text>
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={() => setOpened(false)}>
            {strings.cancel}
          </Button>
          <Button
            size="xs"
            onClick={() => {
              setOpened(false);
              onConfirm();
            }}
          >
            {label}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
