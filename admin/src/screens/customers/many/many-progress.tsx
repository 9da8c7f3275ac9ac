import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { ErrorAlert } from '../../../parts/form.tsx';
import { strings } from '../../../strings.ts';
import { RefusedList } from './many-preview.tsx';
import { undoOf } from './undo-of.ts';
import type { ManyState } from './use-many-changes.ts';
import { words } from './words.ts';

interface ManyProgressProps {
  readonly state: ManyState;
  readonly stop: () => void;
  readonly undo: () => void;
  readonly onClose: () => void;
}

/** Shows the progress of the changes, and then the result. */
export function ManyProgress({
  state: { kind, count, tried, names, outcome },
  stop,
  undo,
  onClose,
}: ManyProgressProps) {
  if (!outcome) {
    return (
      <Stack>
        <Text role="status">{words.progress(tried, count)}</Text>
        <Progress value={count === 0 ? 100 : (100 * tried) / count} aria-label={words.progress(tried, count)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={stop} data-autofocus>
            {words.stop}
          </Button>
        </Group>
      </Stack>
    );
  }
  const { done, refused, left, error } = outcome;
  const canUndo = kind !== 'undo' && undoOf(done).length > 0;
  return (
    <Stack>
      <ErrorAlert error={error} />
      <Text role="status">
        {words.done[kind](done.length)} {left > 0 && words.left(left)}
      </Text>
      <RefusedList label={words.refused(refused.length)} refused={refused} names={names} />
      <Group justify="flex-end">
        {canUndo && (
          <Button variant="default" onClick={undo}>
            {strings.undo}
          </Button>
        )}
        <Button onClick={onClose}>{strings.close}</Button>
      </Group>
    </Stack>
  );
}
