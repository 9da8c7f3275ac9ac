import { Alert, Badge, Button, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import type { PasskeyJson } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { explainPasskey, knowsPasskeys, makePasskey } from '../../passkeys.ts';
import { queryClient } from '../../queries.ts';
import { changeItem, removeItem, runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { deviceOf } from './device.ts';
import classes from './settings.module.css';

const words = strings.settings.passkeys;
const PASSKEYS = ['passkeys'];
const refresh = () => queryClient.invalidateQueries({ queryKey: PASSKEYS });

/** Devices that sign the person in, without a password. */
export function Passkeys() {
  const passkeys = useQuery({ queryKey: PASSKEYS, queryFn: api.passkeys });
  const arePossible = passkeys.data?.arePossible !== false && knowsPasskeys;
  const impossible = passkeys.data?.arePossible === false ? words.notHere : words.notInBrowser;
  return (
    <Paper p="lg" component="section" aria-labelledby="passkeys-title">
      <Title order={2} size="h4" id="passkeys-title" mb="xs">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {arePossible ? words.text : impossible}
      </Text>
      {passkeys.error && <ErrorNotice error={passkeys.error} onRetry={passkeys.refetch} />}
      {passkeys.data && passkeys.data.passkeys.length > 0 && (
        <ul className={classes.bareList}>
          {passkeys.data.passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {arePossible && passkeys.data && <NewPasskey />}
    </Paper>
  );
}

function NewPasskey() {
  const { user } = useSession();
  const [name, setName] = useState(() => deviceOf(navigator.userAgent));
  const [password, setPassword] = useState('');
  const add = useMutation({
    mutationFn: async () => api.addPasskey({ name, answer: await makePasskey(await api.beginPasskey(password)) }),
    onSuccess: () => {
      setPassword('');
      setName(deviceOf(navigator.userAgent));
      showDone(words.added(name));
      return refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  const wrong = fieldErrors(add.error);
  return (
    <form onSubmit={submit}>
      <Stack>
        {add.error && Object.keys(wrong).length === 0 && (
          <Alert color="red" variant="light" role="alert">
            {explainPasskey(add.error) ?? explain(add.error)}
          </Alert>
        )}
        <TextInput
          label={words.name}
          required
          maxLength={255}
          value={name}
          error={wrong.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {user.hasPassword && (
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            value={password}
            error={wrong.current}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': strings.signIn.showPassword, tabIndex: 0 }}
          />
        )}
        <Group>
          <Button type="submit" variant="default" loading={add.isPending}>
            {words.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Passkey({ passkey }: { passkey: PasskeyJson }) {
  const { id, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  const [newName, setNewName] = useState<string>();
  const remove = () =>
    runOptimisticWithUndo({
      about: PASSKEYS,
      show: () => removeItem(PASSKEYS, passkey),
      send: () => api.removePasskey(id),
      sendBack: () => api.restorePasskey(id),
      done: () => words.removed(name),
      undone: words.restored(name),
    });
  if (newName !== undefined) {
    const submit = (event: FormEvent) => {
      event.preventDefault();
      setNewName(undefined);
      if (newName !== name) rename(passkey, newName);
    };
    return (
      <li className={classes.bareItem}>
        <form onSubmit={submit} className={classes.grow}>
          <Group align="flex-end" gap="xs">
            <TextInput
              className={classes.grow}
              label={words.newName(name)}
              required
              autoFocus
              maxLength={255}
              value={newName}
              onChange={(event) => setNewName(event.currentTarget.value)}
            />
            <Button type="submit" size="sm">
              {strings.save}
            </Button>
            <Button size="sm" variant="default" onClick={() => setNewName(undefined)}>
              {strings.cancel}
            </Button>
          </Group>
        </form>
      </li>
    );
  }
  const used = lastUsedAt === null ? words.neverUsed : words.used(formatTime(lastUsedAt));
  return (
    <li className={classes.bareItem}>
      <div className={classes.grow}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {isBackedUp && (
            <Badge variant="default" radius="sm" tt="none">
              {words.backedUp}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {words.since(formatTime(createdAt))} · {used}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-label={words.renameOf(name)} onClick={() => setNewName(name)}>
          {words.rename}
        </Button>
        <Button size="xs" variant="default" aria-label={words.removeOf(name)} onClick={remove}>
          {words.remove}
        </Button>
      </Group>
    </li>
  );
}

function rename(passkey: PasskeyJson, name: string): void {
  runOptimistic({
    about: PASSKEYS,
    show: () => changeItem(PASSKEYS, passkey, { name }),
    send: () => api.renamePasskey(passkey.id, name),
    onDone: () => showUndo(words.renamed(name), () => rename({ ...passkey, name }, passkey.name)),
  });
}
