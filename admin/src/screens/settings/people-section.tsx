import {
  Badge,
  Box,
  Button,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Paper,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../../api.ts';
import type { Role, UserJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { addItem, changeItem, removeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './settings.module.css';
import { useUnsaved } from './use-unsaved.tsx';

const words = strings.settings.people;
const USERS = ['users'];
const everyRole: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

export function PeopleSection() {
  const { user } = useSession();
  const users = useQuery({ queryKey: USERS, queryFn: api.users });
  const roles = everyRole.filter((role) => role !== 'owner' || user.role === 'owner');
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      <Invite roles={roles} />
      {!users.data && !users.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {users.error && <ErrorNotice error={users.error} onRetry={users.refetch} />}
      {users.data && (
        <Paper>
          <ul className={classes.list}>
            {users.data.users.map((person) => (
              <Person key={person.id} person={person} roles={roles} isYou={person.id === user.id} />
            ))}
          </ul>
        </Paper>
      )}
    </Stack>
  );
}

function Invite({ roles }: { roles: readonly Role[] }) {
  // The next one is mostly to be what the last one is.
  const [usual, setUsual] = useState<Role>('editor');
  const { values, set, done, notice } = useUnsaved('invitation', { name: '', email: '', role: usual as string });
  const [error, setError] = useState<unknown>();
  const { name, email } = values;
  // What was kept may be more than one may give by now.
  const role = roles.find((one) => one === values.role) ?? 'editor';
  const form = useRef({ isFree: true, set });
  form.current = { isFree: name === '' && email === '', set };
  const isHere = useIsMounted();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const coming = { ...nobodyYet, id: temporaryId(), name, email, role, createdAt: Date.now() };
    runOptimistic({
      about: USERS,
      show: () => {
        done({ name, email, role });
        setUsual(role);
        setError(undefined);
        return addItem(USERS, coming, 'last');
      },
      send: () => api.inviteUser({ name, email, role }),
      onDone: ({ id }) => {
        changeItem(USERS, coming, { id });
        showDone(words.invited(email));
      },
      onError: (failure) => {
        const { isFree, set } = form.current;
        if (isFree) set({ name, email, role });
        // Whoever has begun with the next one, or is somewhere else, is not disturbed.
        if (!isFree || !isHere.current) return showError(failure, words.notInvited(name, email));
        setError(failure);
      },
    });
  };
  const wrong = fieldErrors(error);
  return (
    <Paper p="lg">
      <form onSubmit={submit}>
        <Text fw={600} mb="sm">
          {words.invite}
        </Text>
        {notice && <Box mb="md">{notice}</Box>}
        <Group align="flex-start">
          <TextInput
            className={classes.grow}
            label={words.name}
            required
            value={name}
            error={wrong.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            className={classes.grow}
            type="email"
            label={words.email}
            required
            value={email}
            error={wrong.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <RoleSelect
            className={classes.role}
            label={words.role}
            role={role}
            roles={roles}
            onChange={(to) => set({ role: to })}
          />
        </Group>
        {error !== undefined && Object.keys(wrong).length === 0 && (
          <Text size="sm" mt="sm" role="alert" c="var(--mantine-color-error)">
            {error instanceof ApiError && error.status === 429 && words.tooMany}
            {explain(error)}
          </Text>
        )}
        <Group mt="md">
          <Button type="submit">{words.send}</Button>
          <Text size="sm" c="dimmed" className={classes.grow}>
            {words.roleTexts[role]}
          </Text>
        </Group>
      </form>
    </Paper>
  );
}

/** What is so of everybody who is being invited. */
const nobodyYet = { hasAccepted: false, hasSecondFactor: false, lastSeenAt: null, keyCount: 0 };

/** As the list has them here. */
interface ShownUser extends UserJson {
  /** Whether an invitation is on its way to the service once more. */
  readonly isInvitedAgain?: boolean;
}

function Person({ person, roles, isYou }: { person: ShownUser; roles: readonly Role[]; isYou: boolean }) {
  const { id, name, email, role, isInvitedAgain = false } = person;
  const isComing = id < 0;
  const mayChange = roles.includes(role) && !isComing;
  const remove = () =>
    runOptimisticWithUndo({
      about: USERS,
      show: () => removeItem(USERS, person),
      send: () => api.removeUser(id),
      sendBack: () => api.restoreUser(id),
      done: () => words.removed(name, person.keyCount),
      undone: words.restored(name, person.hasAccepted),
    });
  return (
    <li className={classes.item}>
      <div className={classes.grow}>
        <Group gap="xs">
          <Text fw={600}>{isYou ? words.you(name) : name}</Text>
          {!person.hasAccepted && !isYou && (
            <Badge variant="default" radius="sm" tt="none">
              {isComing || isInvitedAgain ? words.inviting : words.pending}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {email}
          {person.lastSeenAt !== null && ` · ${words.seen(formatTime(person.lastSeenAt))}`}
        </Text>
      </div>
      {!person.hasAccepted && !isYou && !isComing && (
        <Button
          size="xs"
          variant="default"
          aria-label={words.againTo(name)}
          disabled={isInvitedAgain}
          onClick={() => inviteAgain(person)}
        >
          {words.again}
        </Button>
      )}
      {mayChange && !isYou ? (
        <>
          <RoleOf person={person} roles={roles} />
          <Button size="xs" variant="default" aria-label={words.removeOf(name)} onClick={remove}>
            {words.remove}
          </Button>
        </>
      ) : (
        <Text size="sm">{words.roles[role]}</Text>
      )}
    </li>
  );
}

const SETTLE_MS = 1500;

/** Where a key goes from role to role, only the one that somebody stays at, or leaves the field with, becomes theirs. */
function RoleOf({ person, roles }: { person: UserJson; roles: readonly Role[] }) {
  const [stepped, stepTo] = useState<Role>();
  const hasStepped = useRef(false);
  const settle = () => {
    stepTo(undefined);
    if (stepped !== undefined && stepped !== person.role) changeRole(person, stepped);
  };
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    if (stepped === undefined) return;
    const timer = setTimeout(() => latest.current(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [stepped]);
  useEffect(() => {
    const leave = () => latest.current();
    // Whoever closes the tab has left the field, too.
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return (
    <RoleSelect
      aria-label={words.roleOf(person.name)}
      role={stepped ?? person.role}
      roles={roles}
      onChange={(role) => (hasStepped.current ? stepTo(role) : changeRole(person, role))}
      onKeyDown={({ key }) => {
        hasStepped.current = key !== 'Enter';
        if (key === 'Enter') settle();
      }}
      onPointerDown={() => {
        hasStepped.current = false;
      }}
      onBlur={settle}
    />
  );
}

/** There is no way back from a mail. That it is on its way to them is said when it is. */
function inviteAgain(person: ShownUser): void {
  const { id, name, email } = person;
  const show = (isInvitedAgain: boolean) => changeItem(USERS, person, { isInvitedAgain });
  runOptimistic({
    about: USERS,
    show: () => {
      show(true);
      return () => show(false);
    },
    send: () => api.inviteAgain(id),
    onDone: () => {
      show(false);
      showDone(words.invited(email));
    },
    onError: (error) => showError(error, words.notInvitedAgain(name, email)),
  });
}

/** With the way back, by which they have the keys again that they lose with the role. */
function changeRole(person: UserJson, role: Role, withKeys = false): void {
  const lost = mayHaveKeys(role) ? 0 : person.keyCount;
  const { name, role: before } = person;
  const said = words.roles[role];
  runOptimistic({
    about: USERS,
    show: () => changeItem(USERS, person, { role, keyCount: person.keyCount - lost }),
    send: () => api.updateUser(person.id, { role, withKeys }),
    onDone: () =>
      showUndo(lost > 0 ? words.changedWithoutKeys(name, said, lost) : words.changed(name, said), () =>
        changeRole({ ...person, role, keyCount: person.keyCount - lost }, before, lost > 0),
      ),
  });
}

function mayHaveKeys(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

interface RoleSelectProps extends Omit<NativeSelectProps, 'onChange'> {
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly onChange: (role: Role) => void;
}

function RoleSelect({ role, roles, onChange, ...props }: RoleSelectProps) {
  return (
    <NativeSelect
      {...props}
      value={role}
      data={roles.map((value) => ({ value, label: words.roles[value] }))}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    />
  );
}
