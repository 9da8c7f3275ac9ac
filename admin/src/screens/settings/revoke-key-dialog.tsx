import { Button, Group, Text } from '@mantine/core';
import type { ApiKeyJson } from '../../contract.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';

const words = strings.settings.keys;

interface RevokeKeyDialogProps {
  /** The key to revoke; undefined while the dialog is closed. */
  readonly apiKey: ApiKeyJson | undefined;
  readonly onClose: () => void;
  readonly onRevoke: () => void;
  readonly onRevokeWithIssued: () => void;
}

/** Asks whether to revoke the keys that were issued with a key, too. Without such keys, it is revoked without asking. */
export function RevokeKeyDialog({ apiKey, onClose, onRevoke, onRevokeWithIssued }: RevokeKeyDialogProps) {
  return (
    <Dialog
      opened={apiKey !== undefined}
      onClose={onClose}
      title={apiKey && words.revokeTitle(apiKey.name)}
      size="lg"
      centered
    >
      {apiKey && (
        <>
          <Text>{words.revokeText(apiKey.name, apiKey.issuedKeys)}</Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.cancel}
            </Button>
            <Button variant="default" onClick={onRevokeWithIssued}>
              {words.revokeAll(apiKey.issuedKeys)}
            </Button>
            <Button data-autofocus onClick={onRevoke}>
              {words.revokeOnly}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
