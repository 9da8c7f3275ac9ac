import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { FailedUploads } from '../../../parts/failed-uploads.tsx';
import bars from '../../../parts/progress.module.css';
import { SmallButton } from '../../../parts/small-button.tsx';
import { useStore } from '../../../store.ts';
import { strings } from '../../../strings.ts';
import type { UploadBatch } from './upload-batch.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

/** Shows the progress of all uploads of an editor, and the failed ones with their reasons. */
export function UploadProgress({ batch, onEnd }: { batch: UploadBatch; onEnd: () => void }) {
  const { total, done, progress, current, failed, orphaned, inserted } = useStore(batch.store);
  const place = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const isBusy = current !== undefined;
  const isOver = !isBusy && failed.length === 0 && orphaned === 0;
  useEffect(() => {
    // The focused button has disappeared.
    if (hadFocus.current && document.activeElement === document.body) {
      const [first] = place.current?.getElementsByTagName('button') ?? [];
      if (first) first.focus();
      else onEnd();
      hadFocus.current = false;
    }
  });
  const label = total > 1 ? words.several(Math.min(done + 1, total), total) : words.label(current ?? '');
  return (
    <Box
      ref={place}
      className={isOver ? undefined : classes.uploading}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ target, relatedTarget }) => {
        if (relatedTarget || target.isConnected) hadFocus.current = false;
      }}
    >
      {isBusy && (
        <Group gap="4px 12px">
          <Text size="sm">{total === 1 && progress === 1 ? words.processing(current) : label}</Text>
          <progress className={bars.bar} aria-label={label} max={1} value={(done + progress) / total} />
          <SmallButton onClick={batch.cancel}>{total > 1 ? words.cancelAll : strings.cancel}</SmallButton>
        </Group>
      )}
      {/* Always mounted, because screen readers announce only changes in it. The progress is not announced. */}
      <div role="status">
        {isBusy && <VisuallyHidden>{words.begun(total)}</VisuallyHidden>}
        {!isBusy && inserted > 0 && <VisuallyHidden>{words.come(inserted)}</VisuallyHidden>}
        {!isBusy && <FailedUploads failed={failed} />}
        {!isBusy && orphaned > 0 && <Text size="sm">{words.astray(orphaned)}</Text>}
      </div>
      {!isBusy && !isOver && (
        <Group gap={8} mt={8}>
          {failed.length > 0 && <SmallButton onClick={batch.retry}>{words.retry}</SmallButton>}
          <SmallButton onClick={batch.close}>
            {failed.length > 0 ? words.leaveAllOut(failed.length) : strings.close}
          </SmallButton>
        </Group>
      )}
    </Box>
  );
}
