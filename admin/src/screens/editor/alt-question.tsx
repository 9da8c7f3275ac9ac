import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { inApp } from '../../media.ts';
import { strings } from '../../strings.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

interface AltQuestionProps {
  readonly src: string;
  /** What is said of it so far. */
  readonly alt: string;
  /** It has just come: whoever wants to write on may leave it for later. */
  readonly isNew: boolean;
  /** Empty: it is only decoration. */
  readonly onAnswer: (alt: string) => void;
  readonly onLater: () => void;
}

/** Asks what an image shows, without being in the way of writing. */
export function AltQuestion({ src, alt, isNew, onAnswer, onLater }: AltQuestionProps) {
  const [text, setText] = useState(alt);
  useEffect(() => setText(alt), [src, alt]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(text.trim());
  };
  return (
    <form className={classes.question} onSubmit={submit}>
      <img src={inApp(src)} alt="" />
      <div>
        <TextInput
          size="sm"
          label={isNew ? words.question : words.changeQuestion}
          description={strings.editor.imageDialog.altHelp}
          value={text}
          maxLength={1000}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group gap={8} mt={8}>
          <Button size="xs" type="submit" disabled={text.trim() === '' || text.trim() === alt}>
            {strings.save}
          </Button>
          <Button size="xs" variant="default" onClick={() => onAnswer('')} disabled={!isNew && alt === ''}>
            {words.decorative}
          </Button>
          {isNew && (
            <Button size="xs" variant="subtle" onClick={onLater}>
              {words.later}
            </Button>
          )}
        </Group>
      </div>
    </form>
  );
}
