import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { strings } from '../strings.ts';
import { useTitle } from './use-title.ts';

/** In place of a screen: there is none, or it is not for everybody. */
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
