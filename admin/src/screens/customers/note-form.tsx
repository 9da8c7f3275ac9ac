import { Button, Group, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldErrors } from '../../explain.ts';
import { Form } from '../../parts/form.tsx';
import { strings } from '../../strings.ts';

interface NoteFormProps {
  readonly label: string;
  readonly submit: string;
  readonly text: string;
  readonly error: unknown;
  readonly hasFocus?: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onClose?: () => void;
  readonly children?: ReactNode;
}

export function NoteForm({
  label,
  submit,
  text,
  error,
  hasFocus,
  onChange,
  onSubmit,
  onClose,
  children,
}: NoteFormProps) {
  return (
    <Form onSubmit={onSubmit} error={error} gap="xs">
      {children}
      <Textarea
        label={label}
        value={text}
        error={fieldErrors(error).text}
        autosize
        minRows={2}
        maxRows={16}
        dir="auto"
        autoFocus={hasFocus}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
      <Group gap="xs">
        <Button type="submit" size="xs" disabled={text.trim() === ''}>
          {submit}
        </Button>
        {onClose && (
          <Button size="xs" variant="default" onClick={onClose}>
            {strings.cancel}
          </Button>
        )}
      </Group>
    </Form>
  );
}
