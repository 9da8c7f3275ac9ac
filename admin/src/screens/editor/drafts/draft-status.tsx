import { Text } from '@mantine/core';
import { ApiError } from '../../../api-error.ts';
import { explain } from '../../../explain.ts';
import { strings } from '../../../strings.ts';
import { formatClock } from '../../../times.ts';
import classes from '../editor.module.css';
import { type DraftState, isAtRisk, needsChoice } from './draft-state.ts';

const words = strings.editor.status;

interface DraftStatusProps {
  readonly state: DraftState;
  /** The running action, shown instead of the draft's status. */
  readonly underWay: string | undefined;
}

/** Says briefly whether the changes are saved, being sent, or only in this browser. */
export function DraftStatusText({ state, underWay }: DraftStatusProps) {
  const isUnsaved =
    underWay === undefined && (state.status === 'failed' || (needsChoice(state) && state.status !== 'clean'));
  return (
    <Text
      c={isUnsaved ? 'var(--mantine-color-error)' : 'dimmed'}
      fw={isUnsaved ? 600 : undefined}
      className={classes.status}
      data-unsaved={isUnsaved || undefined}
      role="status"
    >
      {underWay ?? textOf(state)}
    </Text>
  );
}

function textOf(state: DraftState): string {
  const { status, savedAt, error } = state;
  if (needsChoice(state) && !isAtRisk(state) && status !== 'clean') return words.held;
  switch (status) {
    case 'clean':
      return state.published.isPublished ? words.clean : words.unpublished;
    case 'failed':
      if (error instanceof ApiError && error.status === 422) {
        return (isAtRisk(state) ? words.refusedNotKept : words.refused)(explain(error));
      }
      return isAtRisk(state) ? words.notKept : words.failed;
    case 'saved':
      return savedAt === undefined ? words.saved : words.savedAt(formatClock(savedAt));
    default:
      return words.saving;
  }
}
