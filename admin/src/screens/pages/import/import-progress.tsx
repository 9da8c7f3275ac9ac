import { Paper, Progress, Text } from '@mantine/core';
import { words } from './words.ts';

interface ImportProgressProps {
  /** The part of the file that has been sent, from 0 to 1. */
  readonly sent: number;
  /** The text while the service works on the received file. */
  readonly text: string;
}

/** Shows the progress of an upload, and then that the service works on the file. */
export function ImportProgress({ sent, text }: ImportProgressProps) {
  const isSent = sent >= 1;
  const label = isSent ? text : words.sending;
  return (
    <Paper p="lg">
      <Progress value={isSent ? 100 : 100 * sent} animated={isSent} mb="sm" aria-label={label} />
      <Text role="status">{label}</Text>
    </Paper>
  );
}
