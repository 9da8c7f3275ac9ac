import { type MantineSpacing, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  readonly text?: string;
  /** The space below the title. */
  readonly mb?: MantineSpacing;
  readonly children: ReactNode;
}

/** A part of a screen in a box with a heading. */
export function Section({ title, text, mb = text ? 'xs' : 'md', children }: SectionProps) {
  const id = useId();
  return (
    <Paper p="lg" component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={mb}>
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" mb="md">
          {text}
        </Text>
      )}
      {children}
    </Paper>
  );
}
