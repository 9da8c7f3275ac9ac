import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../../parts/logo.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { strings } from '../../strings.ts';
import classes from './card.module.css';

/** The frame of everything one sees before being signed in. */
export function Card({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <Center component="main" className={classes.page}>
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm">
          <Logo size={36} />
          <Text fw={650} size="lg" ff="heading">
            {strings.product}
          </Text>
        </Group>
        <Paper p={{ base: 'lg', xs: 'xl' }} className={classes.card}>
          <Stack gap="lg">
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              {text && (
                <Text c="dimmed" mt={6}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
