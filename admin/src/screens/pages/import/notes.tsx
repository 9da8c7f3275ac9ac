import { Text } from '@mantine/core';
import { Section } from '../../../parts/section.tsx';
import classes from './page-import.module.css';
import { words } from './words.ts';

interface NotesProps {
  readonly title: string;
  readonly notes: readonly string[];
  /** The number of all notes. Only the first ones are listed. */
  readonly count: number;
}

/** Lists differences from the old site. Renders nothing if there are none. */
export function Notes({ title, notes, count }: NotesProps) {
  if (count === 0) return null;
  return (
    <Section title={title}>
      <ul className={classes.notes}>
        {notes.map((note) => (
          <li key={note}>
            <Text size="sm" dir="auto">
              {note}
            </Text>
          </li>
        ))}
      </ul>
      {count > notes.length && (
        <Text size="sm" mt="xs">
          {words.more(count - notes.length)}
        </Text>
      )}
    </Section>
  );
}
