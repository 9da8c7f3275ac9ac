import { Badge, Button, Group, NativeSelect, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { act, addItem, changeItem, nextComing, removeItem } from '../../act.ts';
import { actWithUndo } from '../../act-with-undo.ts';
import { ApiError, api } from '../../api.ts';
import type { Role, UserJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useIsHere } from '../../parts/use-is-here.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './settings.module.css';

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
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [error, setError] = useState<unknown>();
  const isFree = useRef(true);
  isFree.current = name === '' && email === '';
  const isHere = useIsHere();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const coming = { ...nobodyYet, id: nextComing(), name, email, role, createdAt: Date.now() };
    act({
      about: USERS,
      show: () => {
        setName('');
        setEmail('');
        setError(undefined);
        return addItem(USERS, coming, 'last');
      },
      send: () => api.inviteUser({ name, email, role }),
      onDone: ({ id }) => {
        changeItem(USERS, coming, { id });
        showDone(words.invited(email));
      },
      onError: (failure) => {
        // Whoever has begun with the next one, or is somewhere else, is not disturbed.
        if (!isFree.current || !isHere.current) return showError(failure, words.notInvited(name, email));
        setName(name);
        setEmail(email);
        setRole(role);
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
        <Group align="flex-start">
          <TextInput
            className={classes.grow}
            label={words.name}
            required
            value={name}
            error={wrong.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            className={classes.grow}
            type="email"
            label={words.email}
            required
            value={email}
            error={wrong.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RoleSelect label={words.role} role={role} roles={roles} onChange={setRole} />
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
    actWithUndo({
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
          <RoleSelect
            ariaLabel={words.roleOf(name)}
            role={role}
            roles={roles}
            onChange={(to) => changeRole(person, to)}
          />
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

/** There is no way back from a mail. That it is on its way to them is said when it is. */
function inviteAgain(person: ShownUser): void {
  const { id, name, email } = person;
  const show = (isInvitedAgain: boolean) => changeItem(USERS, person, { isInvitedAgain });
  act({
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
  act({
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

interface RoleSelectProps {
  readonly label?: string;
  readonly ariaLabel?: string;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly onChange: (role: Role) => void;
}

function RoleSelect({ label, ariaLabel, role, roles, onChange }: RoleSelectProps) {
  return (
    <NativeSelect
      label={label}
      aria-label={ariaLabel}
      value={role}
      data={roles.map((value) => ({ value, label: words.roles[value] }))}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    />
  );
}
