import { Button, Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { strings } from '../strings.ts';
import { Form } from './form.tsx';

/**
 * A dialog that is open and focused before the next keystroke. Mantine would open it one frame later and focus it later
 * still, so keys typed at once would be lost. Its animation is in app.css.
 */
export function Dialog(props: ModalProps) {
  const { opened } = props;
  const root = useRef<HTMLDivElement>(null);
  // Effects of children run first, so Mantine has already stored where to return the focus.
  useEffect(() => {
    if (opened) root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [opened]);
  return (
    <Modal ref={root} transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': strings.close }} {...props} />
  );
}

interface DialogFormProps {
  readonly error?: unknown;
  /** The label of the submit button. */
  readonly submit: string;
  /** The label of the button that closes the dialog, if "Cancel" would be ambiguous. */
  readonly dismiss?: string | undefined;
  readonly isIncomplete?: boolean;
  readonly noValidate?: boolean;
  /** The label of the button that removes the dialog's subject, and its action. */
  readonly remove?: readonly [label: string, onRemove: () => void] | false | undefined;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The form of a dialog, with its buttons. */
export function DialogForm(props: DialogFormProps) {
  const { submit, dismiss = strings.cancel, isIncomplete, remove, onClose, children, ...form } = props;
  return (
    <Form {...form}>
      {children}
      <Group justify="flex-end">
        {remove && (
          <Button variant="subtle" mr="auto" onClick={remove[1]}>
            {remove[0]}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {dismiss}
        </Button>
        <Button type="submit" disabled={isIncomplete}>
          {submit}
        </Button>
      </Group>
    </Form>
  );
}
