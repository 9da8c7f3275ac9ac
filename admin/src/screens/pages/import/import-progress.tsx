import { Paper, Progress, Text } from '@mantine/core';
import { words } from './words.ts';

interface ImportProgressProps {
  /** From 0 to 1: how much of the file has been sent. */
  readonly sent: number;
  /** Says what the service does once it has the whole file. */
  readonly text: string;
}

/** Shows that a file is on its way, and then that it is worked on. */
export function ImportProgress({ sent, text }: ImportProgressProps) {
  const isSent = sent >= 1;
  const said = isSent ? text : words.sending;
  return (
    <Paper p="lg">
      <Progress value={isSent ? 100 : 100 * sent} animated={isSent} mb="sm" aria-label={said} />
      <Text role="status">{said}</Text>
    </Paper>
  );
}
