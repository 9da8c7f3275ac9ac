import { Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { PageFieldsJson, PageJson } from '../../contract.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';

const Compare = lazy(() => import('./compare.tsx'));

const words = strings.editor.conflict;

interface ConflictProps {
  readonly current: PageJson | undefined;
  readonly fields: PageFieldsJson;
  readonly isPublishing: boolean;
  readonly onClose: () => void;
  readonly onKeepMine: (current: PageJson) => void;
  readonly onTakeTheirs: (current: PageJson) => void;
  readonly onMerge: (current: PageJson) => void;
}

/** Somebody else was faster: both versions, and what can be done about it. Until then nothing is overwritten. */
export function Conflict(props: ConflictProps) {
  const { current, fields, isPublishing, onClose, onKeepMine, onTakeTheirs, onMerge } = props;
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
          <Suspense fallback={<Skeleton height={200} aria-hidden />}>
            <Compare
              left={{ label: words.theirs(current.updatedBy), text: textOf(current) }}
              right={{ label: words.mine, text: textOf(fields) }}
              format={fields.bodyFormat}
            />
          </Suspense>
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

/** With the name and the excerpt, which may be what differs. */
export function textOf({ name, description, body }: Pick<PageFieldsJson, 'name' | 'description' | 'body'>): string {
  const excerpt = description ? [`${strings.fields.description}: ${description}`] : [];
  return [name, ...excerpt, body].join('\n\n');
}
