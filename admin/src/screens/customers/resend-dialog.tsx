import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { fieldProps } from '../../parts/form.tsx';
import { showDone } from '../../parts/undo.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { queryClient } from '../../queries.ts';
import { words } from './customer-words.ts';

interface ResendProps {
  readonly customerId: number;
  /** The current address. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Corrects the address of a customer's first person and mails the login instructions to it. */
export function ResendDialog({ opened, ...props }: ResendProps & { readonly opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={words.resend.title} centered>
      {opened && <Resend {...props} />}
    </Dialog>
  );
}

function Resend({ customerId, email, onClose }: ResendProps) {
  const form = useUnsaved(`address of customer ${customerId}`, { email });
  const send = useMutation({
    mutationFn: () => api.resendInstructions(customerId, form.values),
    onSuccess: (sent) => {
      form.done({ email: form.values.email });
      onClose();
      showDone(words.login.onItsWay(sent.email));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['customer', customerId] }),
  });
  const submit = () => {
    if (!send.isPending) send.mutate();
  };
  return (
    <DialogForm error={send.error} submit={words.resend.submit} noValidate onSubmit={submit} onClose={onClose}>
      {form.notice}
      <Text size="sm">{words.resend.text}</Text>
      <TextInput
        label={words.resend.email}
        type="email"
        required
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
        {...fieldProps(form, send.error)('email')}
      />
    </DialogForm>
  );
}
