import { Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { withChanges } from '../../../data/changes.ts';
import type { StoredCopy } from '../../../data/local-copy.ts';
import { loadPart } from '../../../load-part.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { useSession } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { formatTime } from '../../../times.ts';
import { DifferentSettings, settingsThatDiffer } from '../history/different-settings.tsx';
import type { DraftState } from './draft-state.ts';

const CompareVersions = lazy(() => loadPart(() => import('../history/compare-versions.tsx')));

const words = strings.editor.choice;

interface ChoiceProps {
  /** The other text, or undefined while the dialog is closed. */
  readonly copy: StoredCopy | undefined;
  readonly state: DraftState;
  readonly onClose: () => void;
  readonly onTake: (copy: StoredCopy) => void;
  readonly onKeep: (copy: StoredCopy) => void;
}

/** Shows another text of the page beside the one in the editor, to choose between them. The rejected text is not lost. */
export function Choice({ copy, state, onClose, onTake, onKeep }: ChoiceProps) {
  return (
    <Dialog opened={copy !== undefined} onClose={onClose} title={words.title} size="80rem">
      {copy && (
        <>
          <Text mb="md">{words.text}</Text>
          <Texts copy={copy} state={state} />
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={() => onTake(copy)}>
              {words.take}
            </Button>
            <Button onClick={() => onKeep(copy)}>{words.keep}</Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}

function Texts({ copy, state: { published, fields } }: { copy: StoredCopy; state: DraftState }) {
  const { timeZone } = useSession().account;
  const other = withChanges(published, copy.fields);
  const left = { label: words.other(formatTime(copy.at)), fields: other };
  const right = { label: words.here, fields };
  const settings = settingsThatDiffer(other, fields, timeZone);
  return (
    <>
      {settings.length > 0 && <DifferentSettings settings={settings} left={left.label} right={right.label} />}
      <Suspense fallback={<Skeleton height={200} aria-hidden />}>
        <CompareVersions left={left} right={right} />
      </Suspense>
    </>
  );
}
