import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useContext } from 'react';
import { explain, frameOf } from '../explain.ts';
import { SessionContext, unknownSession } from '../session.ts';
import { strings } from '../strings.ts';
import { SmallButton } from './small-button.tsx';
import { useTitle } from './use-title.ts';

/** Says what went wrong and what to do about it, in place of the content. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  // Users who are not signed in are redirected to the sign-in screen.
  if (useContext(SessionContext) === unknownSession) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={strings.errors.title} my="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{explain(error)}</Text>
        {onRetry && <SmallButton onClick={() => onRetry()}>{strings.errors.retry}</SmallButton>}
      </Stack>
    </Alert>
  );
}

/** Shows an error as a whole screen, with its title as the heading. */
export function ErrorScreen({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { title, retry } = frameOf(error);
  const isKnown = useContext(SessionContext) !== unknownSession;
  useTitle(isKnown ? title : undefined);
  if (!isKnown) return null;
  return (
    <Stack gap="md" py="xl" align="flex-start">
      <Title order={1}>{title}</Title>
      <Text role="alert">{explain(error)}</Text>
      <Button variant="default" onClick={() => onRetry()}>
        {retry}
      </Button>
    </Stack>
  );
}
