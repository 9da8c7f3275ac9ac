import { Button, Group, Text } from '@mantine/core';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';

/** A permanent deletion to confirm, with its texts. */
export interface Discarding {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly run: () => void;
}

/** Asks before an item is deleted for good, which cannot be undone. */
export function DiscardDialog({ discarding, onClose }: { discarding: Discarding | undefined; onClose: () => void }) {
  return (
    <Dialog opened={discarding !== undefined} onClose={onClose} title={discarding?.title} centered>
      {discarding && (
        <>
          <Text>{discarding.text}</Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {strings.cancel}
            </Button>
            <Button
              color="red.9"
              onClick={() => {
                onClose();
                discarding.run();
              }}
            >
              {discarding.confirm}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
