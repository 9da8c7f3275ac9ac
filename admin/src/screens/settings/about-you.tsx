import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import type { SessionJson } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './settings.module.css';

const words = strings.settings.aboutYou;
const SESSION = ['session'];

/** What the person is called, and where they get mail. */
export function AboutYou() {
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
  const [name, setName] = useState<string>();
  const [error, setError] = useState<unknown>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    if (name !== undefined && name.trim() !== user.name) {
      rename(user.name, name.trim(), (reason) => {
        setName(name);
        setError(reason);
      });
    }
    setName(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          className={classes.grow}
          label={words.name}
          autoComplete="name"
          required
          maxLength={255}
          value={name ?? user.name}
          error={error ? (fieldErrors(error).name ?? explain(error)) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {strings.save}
        </Button>
      </Group>
    </form>
  );
}

/** Everybody sees it at once; with the way back. */
function rename(before: string, name: string, onError?: (error: unknown) => void): void {
  act({
    about: SESSION,
    show: () => {
      showName(name);
      return () => showName(before);
    },
    send: () => api.changeName(name),
    onDone: () => showUndo(words.renamed(name), () => rename(name, before)),
    ...(onError && { onError }),
  });
}

function showName(name: string): void {
  queryClient.setQueryData<SessionJson>(
    SESSION,
    (session) => session && { ...session, user: { ...session.user, name } },
  );
}

const nothing = { email: '', current: '' };

/** Another address counts once the link is followed that is mailed there. */
function Email() {
  const { user } = useSession();
  const [fields, setFields] = useState(nothing);
  const ask = useMutation({
    mutationFn: (input: typeof nothing) => api.changeEmail(input),
    onSuccess: () => setFields(nothing),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate(fields);
  };
  const wrong = fieldErrors(ask.error);
  const set = (change: Partial<typeof nothing>) => setFields((before) => ({ ...before, ...change }));
  return (
    <form onSubmit={submit}>
      <Stack>
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
          value={fields.email}
          error={wrong.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
        />
        {user.hasPassword && (
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            value={fields.current}
            error={wrong.current}
            onChange={(event) => set({ current: event.currentTarget.value })}
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
