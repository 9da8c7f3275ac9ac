import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { ListedSessionJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { CurrentPassword, Form, fieldProps, useFields } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { removeItem, runOptimistic } from '../../run-optimistic.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { leave } from '../../signed-in.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { deviceOf } from './device.ts';
import { Item, ItemList } from './item-list.tsx';
import { Passkeys } from './passkeys.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import classes from './settings.module.css';

const words = strings.settings.you;
const SESSIONS = ['sessions'];

/** The user's own settings: profile, password, second factor, passkeys and sessions. */
export function AccountSection() {
  // Until the user is known, the height of the forms above the lists is not: it depends on whether there is a password.
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
  const form = useFields(nothing);
  const change = useMutation({
    mutationFn: () => api.changePassword(form.values),
    onSuccess: () => {
      form.set(nothing);
      showDone(words.passwordChanged);
      void queryClient.invalidateQueries({ queryKey: SESSIONS });
      void queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const field = fieldProps(form, change.error);
  const fresh = { autoComplete: 'new-password', required: true };
  return (
    <Section title={words.password}>
      <Form onSubmit={change.mutate} error={change.error}>
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        {user.hasPassword && <CurrentPassword {...field('current')} />}
        <PasswordInput label={words.newPassword} description={words.passwordHelp} {...fresh} {...field('password')} />
        <PasswordInput label={words.confirmation} {...fresh} {...field('confirmation')} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {words.change}
          </Button>
        </Group>
      </Form>
    </Section>
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
    <Section title={words.sessions} mb={0}>
      <ItemList query={sessions} items={sessions.data?.sessions} isInside>
        {(session) => (
          <Item
            key={session.id}
            name={deviceOf(session.userAgent)}
            badge={session.isCurrent && <Badge variant="light">{words.thisOne}</Badge>}
            details={`${session.ip} · ${words.lastSeen(formatTime(session.lastSeenAt))}`}
          >
            {!session.isCurrent && <SmallButton onClick={() => end(session)}>{words.end}</SmallButton>}
          </Item>
        )}
      </ItemList>
      <Button
        variant="default"
        loading={everywhere.isPending || everywhere.isSuccess}
        onClick={() => everywhere.mutate()}
      >
        {words.everywhere}
      </Button>
    </Section>
  );
}
