import { Button, Group, Text } from '@mantine/core';
import { Shredder } from 'lucide-react';
import { strings } from '../../strings.ts';

const words = strings.trash;

interface SelectionBarProps {
  readonly count: number;
  /** Selects all that is shown; undefined if all is selected. */
  readonly onAll: (() => void) | undefined;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected items. */
export function SelectionBar({ count, onAll, onRestore, onDiscard, onClear }: SelectionBarProps) {
  return (
    <Group gap="xs" role="group" aria-label={words.selection}>
      <Text size="sm" role="status">
        {words.selected(count)}
      </Text>
      {onAll && (
        <Button variant="default" onClick={onAll}>
          {words.selectAll}
        </Button>
      )}
      <Button variant="default" onClick={onClear}>
        {words.selectNone}
      </Button>
      <Button variant="default" onClick={onRestore}>
        {words.restore}
      </Button>
      <Button variant="default" leftSection={<Shredder size={16} aria-hidden />} onClick={onDiscard}>
        {words.discard}
      </Button>
    </Group>
  );
}
