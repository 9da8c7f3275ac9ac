import { Alert, Code, Group } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import { strings } from '../../strings.ts';

interface ShownSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret, which is shown only once. */
export function ShownSecret({ title, secret, onClose }: ShownSecretProps) {
  return (
    <Alert variant="light" color="ink" title={title} withCloseButton onClose={onClose} closeButtonLabel={strings.close}>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <CopyText text={secret} label={strings.copy} />
      </Group>
    </Alert>
  );
}
