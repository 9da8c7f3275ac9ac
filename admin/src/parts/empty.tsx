import { Paper, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  /** The first thing to do, such as a button that creates something. */
  readonly children?: ReactNode;
}

/** Fills a screen that has nothing to show yet. */
export function Empty({ icon: Icon, title, text, children }: EmptyProps) {
  return (
    <Paper className={classes.empty}>
      <Icon size={40} strokeWidth={1.4} aria-hidden />
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text>{text}</Text>
      {children}
    </Paper>
  );
}
