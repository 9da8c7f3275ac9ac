import { Text } from '@mantine/core';
import { ApiError } from '../../api.ts';
import { strings } from '../../strings.ts';
import { formatClock } from '../../times.ts';
import { type DraftState, isAtRisk, isHeld } from './draft-state.ts';
import classes from './editor.module.css';

const words = strings.editor.status;

interface DraftStatusProps {
  readonly state: DraftState;
  readonly isPublishing: boolean;
}

/** Where what was written is now, in few words. */
export function DraftStatusText({ state, isPublishing }: DraftStatusProps) {
  return (
    <Text
      size="sm"
      c={state.status === 'failed' && !isPublishing ? 'var(--mantine-color-error)' : 'dimmed'}
      className={classes.status}
      role="status"
    >
      {isPublishing ? words.publishing : textOf(state)}
    </Text>
  );
}

function textOf(state: DraftState): string {
  const { status, savedAt, error } = state;
  if (isHeld(state) && !isAtRisk(state) && status !== 'clean') return words.held;
  switch (status) {
    case 'clean':
      return words.clean;
    case 'failed':
      return error instanceof ApiError && error.status === 422
        ? words.invalid
        : isAtRisk(state)
          ? words.notKept
          : words.failed;
    case 'saved':
      return savedAt === undefined ? words.saved : words.savedAt(formatClock(savedAt));
    default:
      return words.saving;
  }
}
