import { Alert, Badge, Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import type { ListedSessionJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { removeItem, runOptimistic } from '../../run-optimistic.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { leave } from '../../signed-in.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { ProfileForm } from './account-form.tsx';
import { deviceOf } from './device.ts';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import classes from './settings.module.css';

const words = strings.settings.you;
const SESSIONS = ['sessions'];

/** What concerns the person alone: who they are, how they sign in, and where they have. */
export function AccountSection() {
  // Who has no password is asked for none: what is below stands lower or higher by that.
  const isKnown = useIsKnown();
  return (
    <>
      <Text className={classes.text} mb="lg">
        {words.text}
      </Text>
      <div className={classes.you}>
        <Stack gap="lg">
          <ProfileForm />
          {isKnown && (
            <>
              <Password />
              <SecondFactor />
            </>
          )}
        </Stack>
        <Stack gap="lg">
          {isKnown && (
            <>
              <Passkeys />
              <Sessions />
            </>
          )}
        </Stack>
      </div>
    </>
  );
}

const nothing = { current: '', password: '', confirmation: '' };

function Password() {
  const { user } = useSession();
  const [fields, setFields] = useState(nothing);
  const change = useMutation({
    mutationFn: () => api.changePassword(fields),
    onSuccess: () => {
      setFields(nothing);
      showDone(words.passwordChanged);
      void queryClient.invalidateQueries({ queryKey: SESSIONS });
      void queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const wrong = fieldErrors(change.error);
  const field = (name: keyof typeof nothing, label: string, autoComplete: string, description?: string) => (
    <PasswordInput
      label={label}
      description={description}
      autoComplete={autoComplete}
      required
      value={fields[name]}
      error={wrong[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setFields((before) => ({ ...before, [name]: value }));
      }}
      visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
    />
  );
  return (
    <Paper p="lg" component="section" aria-labelledby="password-title">
      <Title order={2} size="h4" id="password-title" mb="md">
        {words.password}
      </Title>
      <form onSubmit={submit}>
        <Stack>
          {change.error && Object.keys(wrong).length === 0 && (
            <Alert color="red" variant="light" role="alert">
              {explain(change.error)}
            </Alert>
          )}
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          {user.hasPassword && field('current', words.current, 'current-password')}
          {field('password', words.newPassword, 'new-password', words.passwordHelp)}
          {field('confirmation', words.confirmation, 'new-password')}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {words.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Sessions() {
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: api.sessions });
  const end = (session: ListedSessionJson) =>
    runOptimistic({
      about: SESSIONS,
      show: () => removeItem(SESSIONS, session),
      send: () => api.endSession(session.id),
      onDone: () => showDone(words.ended(deviceOf(session.userAgent))),
    });
  const everywhere = useMutation({
    mutationFn: api.signOutEverywhere,
    onError: showError,
    onSuccess: leave,
  });
  return (
    <Paper p="lg" component="section" aria-labelledby="sessions-title">
      <Title order={2} size="h4" id="sessions-title">
        {words.sessions}
      </Title>
      {sessions.error && <ErrorNotice error={sessions.error} onRetry={sessions.refetch} />}
      {sessions.data && (
        <ul className={classes.bareList}>
          {sessions.data.sessions.map((session) => (
            <li key={session.id} className={classes.bareItem}>
              <div className={classes.grow}>
                <Group gap="xs">
                  <Text fw={600}>{deviceOf(session.userAgent)}</Text>
                  {session.isCurrent && (
                    <Badge variant="light" radius="sm" tt="none">
                      {words.thisOne}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed">
                  {session.ip} · {words.lastSeen(formatTime(session.lastSeenAt))}
                </Text>
              </div>
              {!session.isCurrent && (
                <Button size="xs" variant="default" onClick={() => end(session)}>
                  {words.end}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        loading={everywhere.isPending || everywhere.isSuccess}
        onClick={() => everywhere.mutate()}
      >
        {words.everywhere}
      </Button>
    </Paper>
  );
}
