import { Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { PageFieldsJson, PageJson } from '../../contract.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { withChanges } from './changes.ts';
import { ConflictSettings, useSettingsThatDiffer } from './conflict-settings.tsx';
import { textOf } from './text-of.ts';

const Compare = lazy(() => import('./compare.tsx'));

const words = strings.editor.conflict;

interface ConflictProps {
  readonly current: PageJson | undefined;
  /** What was changed here, and nothing else: of the rest, what others have published since counts. */
  readonly changed: Partial<PageFieldsJson>;
  readonly isPublishing: boolean;
  readonly onClose: () => void;
  readonly onKeepMine: (current: PageJson) => void;
  readonly onTakeTheirs: (current: PageJson) => void;
  readonly onMerge: (current: PageJson) => void;
}

/** Somebody else was faster: both versions, and what can be done about it. Until then nothing is overwritten. */
export function Conflict(props: ConflictProps) {
  const { current, changed, isPublishing, onClose, onKeepMine, onTakeTheirs, onMerge } = props;
  return (
    <Modal
      opened={current !== undefined}
      onClose={onClose}
      title={words.title}
      size="80rem"
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      {current && (
        <>
          <Text mb="md">{words.text(current.updatedBy, formatTime(current.updatedAt))}</Text>
          <Versions current={current} merged={withChanges(current, changed)} />
          <Group mt="lg" justify="flex-end">
            <Button variant="default" disabled={isPublishing} onClick={() => onTakeTheirs(current)}>
              {words.takeTheirs}
            </Button>
            <Button variant="default" disabled={isPublishing} onClick={() => onMerge(current)}>
              {words.edit}
            </Button>
            <Button loading={isPublishing} onClick={() => onKeepMine(current)}>
              {words.keepMine}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}

/** What visitors see now, and what they would see. */
function Versions({ current, merged }: { current: PageJson; merged: PageFieldsJson }) {
  const settings = useSettingsThatDiffer(current, merged);
  const left = { label: words.theirs(current.updatedBy), text: textOf(current) };
  const right = { label: words.mine, text: textOf(merged) };
  const isSameText = left.text === right.text;
  return (
    <>
      {settings.length > 0 && <ConflictSettings settings={settings} left={left.label} right={right.label} />}
      {isSameText ? (
        <Text>{settings.length > 0 ? words.same : words.allSame}</Text>
      ) : (
        <Suspense fallback={<Skeleton height={200} aria-hidden />}>
          <Compare left={left} right={right} />
        </Suspense>
      )}
    </>
  );
}
