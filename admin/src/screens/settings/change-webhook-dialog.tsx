import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { EventKind, WebhookJson } from '../../contract.ts';
import { Dialog, DialogForm } from '../../parts/dialog.tsx';
import { fieldProps, useFields } from '../../parts/form.tsx';
import { showDone } from '../../parts/undo.tsx';
import { strings } from '../../strings.ts';
import { EventKinds } from './event-kinds.tsx';

const words = strings.settings.webhooks;

interface ChangeWebhookDialogProps {
  readonly webhook: WebhookJson;
  readonly opened: boolean;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

export function ChangeWebhookDialog({ opened, onClose, ...props }: ChangeWebhookDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.changeTitle} centered>
      {opened && <ChangeWebhook onClose={onClose} {...props} />}
    </Dialog>
  );
}

function ChangeWebhook({ webhook, onChanged, onClose }: Omit<ChangeWebhookDialogProps, 'opened'>) {
  const { id, url, kinds } = webhook;
  const form = useFields<{ url: string; kinds: EventKind[] }>({ url, kinds: [...(kinds ?? [])] });
  const save = useMutation({
    mutationFn: ({ url, kinds }: typeof form.values) =>
      api.changeWebhook(id, { url, kinds: kinds.length === 0 ? null : kinds }),
    onSuccess: () => {
      onClose();
      showDone(words.changed);
      return onChanged();
    },
  });
  return (
    <DialogForm error={save.error} submit={words.save} onSubmit={() => save.mutate(form.values)} onClose={onClose}>
      <TextInput
        label={words.url}
        type="url"
        required
        data-autofocus
        autoCapitalize="off"
        spellCheck={false}
        {...fieldProps(form, save.error)('url')}
      />
      <EventKinds kinds={form.values.kinds} onKinds={(kinds) => form.set({ kinds })} />
      <Text size="sm" c="dimmed">
        {words.changeText}
      </Text>
    </DialogForm>
  );
}
