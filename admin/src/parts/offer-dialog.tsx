import { Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { TemplateJson } from '../contract.ts';
import { queryClient } from '../queries.ts';
import { Dialog, DialogForm } from './dialog.tsx';
import { fieldProps } from './form.tsx';
import { showDone } from './undo.tsx';
import { useUnsaved } from './use-unsaved.tsx';

/** The query key of the templates. */
export const TEMPLATES = ['templates'];

const words = {
  offerOf: (name: string) => `Offer the website of ${name} as a template`,
  name: 'Name',
  description: 'What it is for',
  offer: 'Offer',
  offered: (name: string) => `You can choose “${name}” for new customers now.`,
  editOf: (name: string) => `Edit “${name}”`,
  save: 'Save',
  saved: (name: string) => `“${name}” is saved.`,
};

/** The subject of the dialog: a website to offer, or a template to change. */
export type Offered =
  | { readonly site: { readonly id: number; readonly name: string } }
  | { readonly template: TemplateJson };

interface OfferDialogProps {
  /** Undefined while the dialog is closed. */
  readonly offered: Offered | undefined;
  readonly onClose: () => void;
}

/** Asks for the name and description of a template. */
export function OfferDialog({ offered, onClose }: OfferDialogProps) {
  const title = offered && ('site' in offered ? words.offerOf(offered.site.name) : words.editOf(offered.template.name));
  return (
    <Dialog opened={offered !== undefined} onClose={onClose} title={title} centered>
      {offered && <Offer offered={offered} onClose={onClose} />}
    </Dialog>
  );
}

function Offer({ offered, onClose }: { offered: Offered; onClose: () => void }) {
  const isNew = 'site' in offered;
  const form = useUnsaved(
    isNew ? `template of ${offered.site.id}` : `template ${offered.template.id}`,
    isNew
      ? { name: offered.site.name, description: '' }
      : { name: offered.template.name, description: offered.template.description },
  );
  const save = useMutation({
    mutationFn: () =>
      isNew
        ? api.offerTemplate({ siteId: offered.site.id, ...form.values })
        : api.changeTemplate(offered.template.id, form.values),
    onSuccess: (list) => {
      form.done(form.values);
      onClose();
      const name = form.values.name.trim();
      showDone(isNew ? words.offered(name) : words.saved(name));
      queryClient.setQueryData(TEMPLATES, list);
    },
  });
  const field = fieldProps(form, save.error);
  return (
    <DialogForm
      error={save.error}
      submit={isNew ? words.offer : words.save}
      onSubmit={() => !save.isPending && save.mutate()}
      onClose={onClose}
    >
      {form.notice}
      <TextInput label={words.name} required maxLength={255} data-autofocus {...field('name')} />
      <Textarea
        label={words.description}
        autosize
        maxRows={6}
        maxLength={1000}
        value={form.values.description}
        error={field('description').error}
        onChange={({ currentTarget: { value } }) => form.set({ description: value })}
      />
    </DialogForm>
  );
}
