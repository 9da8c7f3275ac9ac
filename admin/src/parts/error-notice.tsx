import { Alert, Button, Stack, Text } from '@mantine/core';
import { explain } from '../explain.ts';
import { strings } from '../strings.ts';

/** Says what went wrong and what to do about it, where the content would be. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  return (
    <Alert color="red" variant="light" role="alert" title={strings.errors.title} my="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{explain(error)}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={() => onRetry()}>
            {strings.errors.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
