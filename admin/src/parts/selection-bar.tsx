import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings.ts';

const words = strings.trash;

interface SelectionBarProps {
  readonly count: number;
  /** Describes the selection, instead of its size. */
  readonly text?: string | undefined;
  /** Selects everything that is shown. Undefined if everything is selected. */
  readonly onAll: (() => void) | undefined;
  readonly onClear: () => void;
  /** The buttons for the selected items. */
  readonly children: ReactNode;
}

/** Says how much of a list is selected, and offers actions for it. */
export function SelectionBar({ count, text, onAll, onClear, children }: SelectionBarProps) {
  return (
    <Group gap="xs" role="group" aria-label={words.selection}>
      <Text size="sm" role="status">
        {text ?? words.selected(count)}
      </Text>
      {onAll && (
        <Button variant="default" onClick={onAll}>
          {words.selectAll}
        </Button>
      )}
      <Button variant="default" onClick={onClear}>
        {words.selectNone}
      </Button>
      {children}
    </Group>
  );
}
