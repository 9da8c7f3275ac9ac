import { Button, Group, TextInput, UnstyledButton } from '@mantine/core';
import type { FormEvent, ReactNode, Ref } from 'react';
import { appImageUrl } from '../../../own-images.ts';
import { SmallButton } from '../../../parts/small-button.tsx';
import { strings } from '../../../strings.ts';
import classes from './uploads.module.css';

const words = strings.editor.uploads;

interface AltTextFormProps {
  readonly src: string;
  /** The description so far: empty for a decorative image, null if there is none. */
  readonly alt: string | null;
  readonly label: string;
  readonly text: string;
  readonly input?: Ref<HTMLInputElement>;
  /** Further buttons. */
  readonly children?: ReactNode;
  readonly onText: (text: string) => void;
  /** Called with an empty text if the image is only decorative. */
  readonly onAnswer: (alt: string) => void;
  /** Scrolls to the image in the text. */
  readonly onShow?: () => void;
}

/** Asks for an image's alternative text, beside the text and without interrupting writing. */
export function AltTextForm(props: AltTextFormProps) {
  const { src, alt, label, text, input, children, onText, onAnswer, onShow } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onAnswer(text.trim());
  };
  const image = <img src={appImageUrl(src)} alt="" />;
  return (
    <form className={classes.question} onSubmit={submit}>
      {onShow ? (
        <UnstyledButton aria-label={words.show} title={words.show} onClick={onShow}>
          {image}
        </UnstyledButton>
      ) : (
        image
      )}
      <div>
        <TextInput
          ref={input}
          size="sm"
          label={label}
          description={strings.editor.imageDialog.altHelp}
          value={text}
          maxLength={1000}
          onChange={(event) => onText(event.currentTarget.value)}
        />
        <Group gap={8} mt={8}>
          <Button size="xs" type="submit" disabled={text.trim() === '' || text.trim() === alt}>
            {strings.save}
          </Button>
          <SmallButton onClick={() => onAnswer('')} disabled={alt === ''}>
            {words.decorative}
          </SmallButton>
          {children}
        </Group>
      </div>
    </form>
  );
}
