import { NativeSelect, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerDetailsJson } from '../../contract.ts';
import { fieldErrors } from '../../explain.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { strings } from '../../strings.ts';
import { startVisit } from '../../visit.ts';
import { words } from './action-words.ts';

const MAX_REASON_CHARACTERS = 500;
const { roles } = strings.settings.people;

interface ContentProps {
  readonly customer: CustomerDetailsJson;
  readonly onClose: () => void;
}

/** Returns the people of a customer as whom the agency may sign in. Accountants are left out: they see nothing of a website. */
export function peopleToActFor({ people }: CustomerDetailsJson): CustomerDetailsJson['people'] {
  return people.filter(({ role }) => role !== 'accountant');
}

/** Asks for the person as whom to sign in to a customer's website, and for the reason. */
export function SignInAsDialog({ opened, ...props }: ContentProps & { readonly opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={words.signInAsTitle(props.customer.name)} centered>
      {opened && <SignInAs {...props} />}
    </Dialog>
  );
}

function SignInAs({ customer, onClose }: ContentProps) {
  const people = peopleToActFor(customer);
  const [chosen, choose] = useState(String(people[0]?.id ?? ''));
  const form = useUnsaved(`sign-in to customer ${customer.id}`, { reason: '' });
  const send = useMutation({
    mutationFn: () => startVisit(Number(chosen), form.values.reason),
    onSuccess: () => form.done(form.values),
  });
  return (
    <DialogForm
      error={send.error}
      submit={words.signInAsSubmit}
      onSubmit={() => !send.isPending && !send.isSuccess && send.mutate()}
      onClose={onClose}
    >
      {form.notice}
      <Text size="sm">{words.signInAsText}</Text>
      <NativeSelect
        label={words.person}
        value={chosen}
        data={people.map(({ id, name, role }) => ({ value: String(id), label: `${name}, ${roles[role]}` }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Textarea
        label={words.whySignIn}
        description={words.whySignInText}
        required
        maxLength={MAX_REASON_CHARACTERS}
        autosize
        minRows={2}
        value={form.values.reason}
        error={fieldErrors(send.error).reason}
        onChange={({ currentTarget }) => form.set({ reason: currentTarget.value })}
        data-autofocus
      />
    </DialogForm>
  );
}
