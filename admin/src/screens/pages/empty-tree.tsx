import { Button, Paper, Text, Title } from '@mantine/core';
import { FilePlus } from 'lucide-react';
import { strings } from '../../strings.ts';
import classes from './pages-screen.module.css';

const words = strings.pages;

export function EmptyTree({ onCreate }: { onCreate: (() => void) | undefined }) {
  return (
    <Paper className={classes.empty}>
      <FilePlus size={40} strokeWidth={1.4} aria-hidden />
      <Title order={2} size="h3">
        {words.emptyTitle}
      </Title>
      <Text>{words.emptyText}</Text>
      {onCreate && <Button onClick={onCreate}>{words.emptyAction}</Button>}
    </Paper>
  );
}
