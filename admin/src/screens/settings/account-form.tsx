import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import type { SessionJson } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { runOptimistic } from '../../run-optimistic.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './settings.module.css';
import { useUnsaved } from './use-unsaved.tsx';

const words = strings.settings.aboutYou;
const SESSION = ['session'];

/** What the person is called, and where they get mail. */
export function ProfileForm() {
  return (
    <Paper p="lg" component="section" aria-labelledby="about-you-title">
      <Title order={2} size="h4" id="about-you-title" mb="md">
        {words.title}
      </Title>
      <Stack gap="lg">
        <Name />
        {useIsKnown() && <Email />}
      </Stack>
    </Paper>
  );
}

function Name() {
  const { user } = useSession();
  const { values, set, done, notice } = useUnsaved('name', { name: user.name });
  const [error, setError] = useState<unknown>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    const name = values.name.trim();
    set({ name });
    if (name !== user.name) rename(user.name, name, { onDone: () => done({ name }), onError: setError });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {notice}
        <Group align="flex-end">
          <TextInput
            className={classes.grow}
            label={words.name}
            autoComplete="name"
            required
            maxLength={255}
            value={values.name}
            error={error ? (fieldErrors(error).name ?? explain(error)) : undefined}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Button type="submit" variant="default">
            {strings.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Heard {
  readonly onDone?: () => void;
  readonly onError?: (error: unknown) => void;
}

/** Everybody sees it at once; with the way back. */
function rename(before: string, name: string, { onDone, onError }: Heard = {}): void {
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

/** Another address counts once the link is followed that is mailed there. */
function Email() {
  const { user } = useSession();
  const { values, set, done, notice } = useUnsaved('email', { email: '' });
  const [current, setCurrent] = useState('');
  const ask = useMutation({
    mutationFn: api.changeEmail,
    onSuccess: (_, { email }) => {
      done({ email });
      setCurrent('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate({ ...values, current });
  };
  const wrong = fieldErrors(ask.error);
  return (
    <form onSubmit={submit}>
      <Stack>
        {notice}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {words.present(user.email)}
        </Text>
        {ask.isSuccess && (
          <Alert variant="light" color="ink" role="status">
            {words.asked(ask.variables.email, user.email)}
          </Alert>
        )}
        {ask.error && Object.keys(wrong).length === 0 && (
          <Alert color="red" variant="light" role="alert">
            {explain(ask.error)}
          </Alert>
        )}
        <TextInput
          type="email"
          label={words.email}
          autoComplete="off"
          required
          value={values.email}
          error={wrong.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        {user.hasPassword && (
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            value={current}
            error={wrong.current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
          />
        )}
        <Group>
          <Button type="submit" variant="default" loading={ask.isPending}>
            {words.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
