import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { explain, fieldErrors } from '../../explain.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { strings } from '../../strings.ts';

const words = strings.pages;

/** A page that somebody wants to make. */
export interface NewPage {
  /** Id 0 is the root. */
  readonly parent: { readonly id: number; readonly name: string };
  readonly name: string;
  /** Why the service has refused it, where it has. */
  readonly error?: unknown;
}

interface NewPageDialogProps {
  /** Undefined while there is nothing to ask. */
  readonly asked: NewPage | undefined;
  readonly onClose: () => void;
  readonly onCreate: (page: NewPage) => void;
}

/** Asks for nothing but a name. The page starts hidden: visitors see no empty page. */
export function NewPageDialog({ asked, onClose, onCreate }: NewPageDialogProps) {
  const [name, setName] = useState('');
  useEffect(() => {
    if (asked) setName(asked.name);
  }, [asked]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asked) onCreate({ parent: asked.parent, name });
  };
  const error = asked?.error;
  const wrong = fieldErrors(error);
  return (
    <Dialog
      opened={asked !== undefined}
      onClose={onClose}
      title={asked?.parent.name ? words.addInside(asked.parent.name) : words.add}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          {error !== undefined && Object.keys(wrong).length === 0 && (
            <Alert color="red" variant="light" role="alert">
              {explain(error)}
            </Alert>
          )}
          <TextInput
            label={words.nameLabel}
            description={words.nameHelp}
            required
            maxLength={255}
            data-autofocus
            error={wrong.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.cancel}
            </Button>
            <Button type="submit">{words.create}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
