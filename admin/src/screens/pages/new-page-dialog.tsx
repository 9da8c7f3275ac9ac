import { TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { fieldProps, useFields } from '../../parts/form.tsx';
import { strings } from '../../strings.ts';

const words = strings.pages;

/** A page that the user wants to create. */
export interface NewPage {
  /** The parent page. Id 0 is the root. */
  readonly parent: { readonly id: number; readonly name: string };
  readonly name: string;
  /** The error of the service, if it has refused the page. */
  readonly error?: unknown;
}

interface NewPageDialogProps {
  /** The page to ask about; undefined while the dialog is closed. */
  readonly newPage: NewPage | undefined;
  readonly onClose: () => void;
  readonly onCreate: (page: NewPage) => void;
}

/** Asks for the name of a new page. The page is not published, so that visitors see no empty page. */
export function NewPageDialog({ newPage, onClose, onCreate }: NewPageDialogProps) {
  const form = useFields({ name: '' });
  useEffect(() => {
    if (newPage) form.set({ name: newPage.name });
  }, [newPage]);
  return (
    <Dialog
      opened={newPage !== undefined}
      onClose={onClose}
      title={newPage?.parent.name ? words.addInside(newPage.parent.name) : words.add}
      centered
    >
      <DialogForm
        error={newPage?.error}
        submit={words.create}
        onSubmit={() => newPage && onCreate({ parent: newPage.parent, ...form.values })}
        onClose={onClose}
      >
        <TextInput
          label={words.nameLabel}
          description={words.nameHelp}
          required
          maxLength={255}
          data-autofocus
          {...fieldProps(form, newPage?.error)('name')}
        />
      </DialogForm>
    </Dialog>
  );
}
