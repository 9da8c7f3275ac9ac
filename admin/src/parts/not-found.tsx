import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { strings } from '../strings.ts';
import { useTitle } from './use-title.ts';

/** Replaces a screen that does not exist, or that the user may not see. */
export function NotFound({ title = strings.notFound.title, text = strings.notFound.text }) {
  useTitle(title);
  return (
    <Stack gap="xs" py="xl">
      <Title order={1}>{title}</Title>
      <Text>{text}</Text>
      <Anchor component={Link} href="/pages">
        {strings.notFound.back}
      </Anchor>
    </Stack>
  );
}
