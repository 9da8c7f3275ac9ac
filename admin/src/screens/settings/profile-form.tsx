import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { SessionJson } from '../../contract.ts';
import { onlyFieldError } from '../../explain.ts';
import { beside } from '../../parts/beside-input.tsx';
import { CurrentPassword, Form, fieldProps, useFields } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { showUndo } from '../../parts/undo.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { queryClient } from '../../queries.ts';
import { runOptimistic } from '../../run-optimistic.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const words = strings.settings.aboutYou;
const SESSION = ['session'];

/** The form for the user's name and e-mail address. */
export function ProfileForm() {
  return (
    <Section title={words.title}>
      <Stack gap="lg">
        <Name />
        {useIsKnown() && <Email />}
      </Stack>
    </Section>
  );
}

function Name() {
  const { user } = useSession();
  const form = useUnsaved('name', { name: user.name });
  const [error, setError] = useState<unknown>();
  const submit = () => {
    setError(undefined);
    const name = form.values.name.trim();
    form.set({ name });
    if (name !== user.name) rename(user.name, name, { onDone: () => form.done({ name }), onError: setError });
  };
  return (
    <Form onSubmit={submit}>
      {form.notice}
      <TextInput
        label={words.name}
        autoComplete="name"
        required
        maxLength={255}
        inputContainer={beside(
          <Button type="submit" variant="default">
            {strings.save}
          </Button>,
        )}
        {...fieldProps(form)('name')}
        error={onlyFieldError(error, 'name')}
      />
    </Form>
  );
}

interface RenameOptions {
  readonly onDone?: () => void;
  readonly onError?: (error: unknown) => void;
}

/** Changes the user's name, shows it everywhere at once, and offers to undo it. */
function rename(before: string, name: string, { onDone, onError }: RenameOptions = {}): void {
  runOptimistic({
    about: SESSION,
    show: () => {
      showName(name);
      return () => showName(before);
    },
    send: () => api.changeName(name),
    onDone: () => {
      onDone?.();
      showUndo(words.renamed(name), () => rename(name, before));
    },
    ...(onError && { onError }),
  });
}

function showName(name: string): void {
  queryClient.setQueryData<SessionJson>(
    SESSION,
    (session) => session && { ...session, user: { ...session.user, name } },
  );
}

/** The form for a new e-mail address, which takes effect once the user follows the link mailed there. */
function Email() {
  const { user } = useSession();
  const form = useUnsaved('email', { email: '' });
  const secret = useFields({ current: '' });
  const ask = useMutation({
    mutationFn: api.changeEmail,
    onSuccess: (_, { email }) => {
      form.done({ email });
      secret.set({ current: '' });
    },
  });
  return (
    <Form onSubmit={() => ask.mutate({ ...form.values, ...secret.values })} error={ask.error}>
      {form.notice}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {words.present(user.email)}
      </Text>
      {ask.isSuccess && (
        <Alert variant="light" color="ink" role="status">
          {words.asked(ask.variables.email, user.email)}
        </Alert>
      )}
      <TextInput
        type="email"
        label={words.email}
        autoComplete="off"
        required
        {...fieldProps(form, ask.error)('email')}
      />
      {user.hasPassword && <CurrentPassword {...fieldProps(secret, ask.error)('current')} />}
      <Group>
        <Button type="submit" variant="default" loading={ask.isPending}>
          {words.send}
        </Button>
      </Group>
    </Form>
  );
}
