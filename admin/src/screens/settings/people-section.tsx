import {
  Badge,
  Box,
  Button,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Paper,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import type { Role, UserJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { Form, fieldProps } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { addItem, changeItem, removeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { Item, ItemList } from './item-list.tsx';
import classes from './settings.module.css';
import { useRefusal } from './use-refusal.ts';

const words = strings.settings.people;
const USERS = ['users'];
const everyRole: readonly Role[] = ['viewer', 'editor', 'admin', 'owner', 'accountant'];

export function PeopleSection() {
  const { user, hasCustomers } = useSession();
  const users = useQuery({ queryKey: USERS, queryFn: api.users });
  // Without customers, an accountant would see nothing.
  const hasAccountants = hasCustomers || users.data?.users.some(({ role }) => role === 'accountant');
  const roles = everyRole.filter(
    (role) => (role !== 'owner' || user.role === 'owner') && (role !== 'accountant' || hasAccountants),
  );
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      <Invite roles={roles} />
      <ItemList query={users} items={users.data?.users}>
        {(person) => <Person key={person.id} person={person} roles={roles} isYou={person.id === user.id} />}
      </ItemList>
    </Stack>
  );
}

function Invite({ roles }: { roles: readonly Role[] }) {
  // The role of the last invitation is proposed for the next.
  const [usual, setUsual] = useState<Role>('editor');
  const form = useUnsaved('invitation', { name: '', email: '', role: usual as string });
  const { values, set, done, notice } = form;
  const { name, email } = values;
  // The user may no longer be allowed to give the stored role.
  const role = roles.find((one) => one === values.role) ?? 'editor';
  const { error, accept, refuse } = useRefusal({ isFree: name === '' && email === '', set });
  const submit = () => {
    const coming = { ...nobodyYet, id: temporaryId(), name, email, role, createdAt: Date.now() };
    runOptimistic({
      about: USERS,
      show: () => {
        done({ name, email, role });
        setUsual(role);
        accept();
        return addItem(USERS, coming, 'last');
      },
      send: () => api.inviteUser({ name, email, role }),
      onDone: ({ id }) => {
        changeItem(USERS, coming, { id });
        showDone(words.invited(email));
      },
      onError: (reason) => refuse(reason, { name, email, role }, words.notInvited(name, email)),
    });
  };
  const field = fieldProps(form, error);
  const isAboutForm = error !== undefined && Object.keys(fieldErrors(error)).length === 0;
  return (
    <Paper p="lg">
      <Form onSubmit={submit} gap={0}>
        <Text fw={600} mb="sm">
          {words.invite}
        </Text>
        {notice && <Box mb="md">{notice}</Box>}
        <Group align="flex-start">
          <TextInput className={classes.grow} label={words.name} required {...field('name')} />
          <TextInput className={classes.grow} type="email" label={words.email} required {...field('email')} />
          <RoleSelect
            className={classes.role}
            label={words.role}
            role={role}
            roles={roles}
            onChange={(to) => set({ role: to })}
          />
        </Group>
        {isAboutForm && (
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
      </Form>
    </Paper>
  );
}

/** The fields of a person who is being invited. */
const nobodyYet = { hasAccepted: false, hasSecondFactor: false, lastSeenAt: null, keyCount: 0 };

/** A user in the list of the app. */
interface ShownUser extends UserJson {
  /** True while the invitation is being sent again. */
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
  const isPending = !person.hasAccepted && !isYou;
  return (
    <Item
      name={isYou ? words.you(name) : name}
      badge={
        isPending && <Badge variant="default">{isComing || isInvitedAgain ? words.inviting : words.pending}</Badge>
      }
      details={person.lastSeenAt === null ? email : `${email} · ${words.seen(formatTime(person.lastSeenAt))}`}
    >
      {isPending && !isComing && (
        <SmallButton aria-label={words.againTo(name)} disabled={isInvitedAgain} onClick={() => inviteAgain(person)}>
          {words.again}
        </SmallButton>
      )}
      {mayChange && !isYou ? (
        <>
          <RoleOf person={person} roles={roles} />
          <SmallButton aria-label={words.removeOf(name)} onClick={remove}>
            {words.remove}
          </SmallButton>
        </>
      ) : (
        <Text size="sm">{words.roles[role]}</Text>
      )}
    </Item>
  );
}

/** How long a role must stay chosen by keyboard before it is saved. */
const SETTLE_MS = 1500;

/** Changes a role. Arrow keys step through all roles, so a role chosen by keyboard is saved after a while, or on leaving. */
function RoleOf({ person, roles }: { person: UserJson; roles: readonly Role[] }) {
  const [stepped, stepTo] = useState<Role>();
  const hasStepped = useRef(false);
  const settle = () => {
    stepTo(undefined);
    if (stepped !== undefined && stepped !== person.role) changeRole(person, stepped);
  };
  const settleNow = useEffectEvent(settle);
  useEffect(() => {
    if (stepped === undefined) return;
    const timer = setTimeout(() => settleNow(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [stepped]);
  useEffect(() => {
    const leave = () => settleNow();
    // Closing the tab leaves the field, too.
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

/** Sends the invitation again. Cannot be undone, because it sends a mail. */
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

/** Changes a user's role, and offers to undo it. The undo also restores the API keys that were lost with the role. */
function changeRole(person: UserJson, role: Role, withKeys = false): void {
  const lost = mayHaveKeys(role) ? 0 : person.keyCount;
  const { name, role: before } = person;
  const roleName = words.roles[role];
  runOptimistic({
    about: USERS,
    show: () => changeItem(USERS, person, { role, keyCount: person.keyCount - lost }),
    send: () => api.updateUser(person.id, { role, withKeys }),
    onDone: () =>
      showUndo(lost > 0 ? words.changedWithoutKeys(name, roleName, lost) : words.changed(name, roleName), () =>
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
