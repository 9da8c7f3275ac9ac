import { Button, FileButton, Group, Paper, Text } from '@mantine/core';
import { type LucideIcon, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useFileDrop } from '../use-file-drop.ts';
import classes from './file-choice.module.css';

interface FileChoiceProps {
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  readonly icon: LucideIcon;
  /** The kinds of files, as the attribute `accept` has them. */
  readonly accept: string;
  readonly words: Readonly<Record<'drop' | 'dropText' | 'choose' | 'chooseOther', string>>;
}

/** Takes a file that is chosen or dropped. */
export function FileChoice({ file, onFile, icon: Icon, accept, words }: FileChoiceProps) {
  const drop = useFileDrop(([first]) => first && onFile(first));
  const reset = useRef<() => void>(null);
  const take = (chosen: File | null) => {
    if (chosen) onFile(chosen);
    // Lets the user choose the same file again, for example after correcting it: otherwise the browser reports no change.
    reset.current?.();
  };
  return (
    <Paper {...drop} className={classes.drop} data-chosen={file !== undefined || undefined}>
      {file ? (
        <Group gap="sm" wrap="nowrap" className={classes.name}>
          <Icon size={20} aria-hidden />
          <Text fw={600} dir="auto">
            {file.name}
          </Text>
        </Group>
      ) : (
        <div>
          <Text fw={600}>{words.drop}</Text>
          <Text size="sm" c="dimmed" maw={560}>
            {words.dropText}
          </Text>
        </div>
      )}
      <FileButton accept={accept} onChange={take} resetRef={reset}>
        {(props) => (
          <Button {...props} variant={file ? 'default' : 'filled'} leftSection={<Upload size={18} aria-hidden />}>
            {file ? words.chooseOther : words.choose}
          </Button>
        )}
      </FileButton>
    </Paper>
  );
}
