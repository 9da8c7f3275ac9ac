import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { strings } from '../strings.ts';

export function NotFound() {
  useEffect(() => {
    document.title = `${strings.notFound.title} · ${strings.product}`;
  }, []);
  return (
    <Stack gap="xs" py="xl">
      <Title order={1}>{strings.notFound.title}</Title>
      <Text>{strings.notFound.text}</Text>
      <Anchor component={Link} href="/pages">
        {strings.notFound.back}
      </Anchor>
    </Stack>
  );
}
