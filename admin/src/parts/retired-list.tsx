import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import lists from './list.module.css';

interface RetiredListProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** Shows the items of a list that are no longer offered, below those that are. */
export function RetiredList({ title, text, children }: RetiredListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      <Paper>
        <ul className={lists.list}>{children}</ul>
      </Paper>
    </section>
  );
}
