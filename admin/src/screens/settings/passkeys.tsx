import { Badge, Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { PasskeyJson } from '../../contract.ts';
import { explain } from '../../explain.ts';
import { beside } from '../../parts/beside-input.tsx';
import { CurrentPassword, Form, FormError, fieldProps, useFields } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { explainPasskey, knowsPasskeys, makePasskey } from '../../passkeys.ts';
import { queryClient } from '../../queries.ts';
import { changeItem, removeItem, runOptimistic } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { deviceOf } from './device.ts';
import { Item, ItemList } from './item-list.tsx';
import classes from './settings.module.css';

const words = strings.settings.passkeys;
const PASSKEYS = ['passkeys'];
const refresh = () => queryClient.invalidateQueries({ queryKey: PASSKEYS });

/** Lists the user's passkeys, which sign in without a password, and adds new ones. */
export function Passkeys() {
  const passkeys = useQuery({ queryKey: PASSKEYS, queryFn: api.passkeys });
  const arePossible = passkeys.data?.arePossible !== false && knowsPasskeys;
  const impossible = passkeys.data?.arePossible === false ? words.notHere : words.notInBrowser;
  return (
    <Section title={words.title} text={arePossible ? words.text : impossible}>
      <ItemList query={passkeys} items={passkeys.data?.passkeys} isInside>
        {(passkey) => <Passkey key={passkey.id} passkey={passkey} />}
      </ItemList>
      {arePossible && passkeys.data && <NewPasskey />}
    </Section>
  );
}

function NewPasskey() {
  const { user } = useSession();
  const form = useFields({ name: deviceOf(navigator.userAgent), current: '' });
  const { name, current } = form.values;
  const add = useMutation({
    mutationFn: async () => api.addPasskey({ name, answer: await makePasskey(await api.beginPasskey(current)) }),
    onSuccess: () => {
      form.set({ name: deviceOf(navigator.userAgent), current: '' });
      showDone(words.added(name));
      return refresh();
    },
  });
  const field = fieldProps(form, add.error);
  return (
    <Form onSubmit={add.mutate}>
      <FormError error={add.error}>{explainPasskey(add.error) ?? explain(add.error)}</FormError>
      <TextInput label={words.name} required maxLength={255} {...field('name')} />
      {user.hasPassword && <CurrentPassword {...field('current')} />}
      <Group>
        <Button type="submit" variant="default" loading={add.isPending}>
          {words.add}
        </Button>
      </Group>
    </Form>
  );
}

function Passkey({ passkey }: { passkey: PasskeyJson }) {
  const { id, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  const [isRenaming, setRenaming] = useState(false);
  const remove = () =>
    runOptimisticWithUndo({
      about: PASSKEYS,
      show: () => removeItem(PASSKEYS, passkey),
      send: () => api.removePasskey(id),
      sendBack: () => api.restorePasskey(id),
      done: () => words.removed(name),
      undone: words.restored(name),
    });
  if (isRenaming) return <NewName passkey={passkey} onClose={() => setRenaming(false)} />;
  const used = lastUsedAt === null ? words.neverUsed : words.used(formatTime(lastUsedAt));
  return (
    <Item
      name={name}
      badge={isBackedUp && <Badge variant="default">{words.backedUp}</Badge>}
      details={`${words.since(formatTime(createdAt))} · ${used}`}
    >
      <Group gap="xs">
        <SmallButton aria-label={words.renameOf(name)} onClick={() => setRenaming(true)}>
          {words.rename}
        </SmallButton>
        <SmallButton aria-label={words.removeOf(name)} onClick={remove}>
          {words.remove}
        </SmallButton>
      </Group>
    </Item>
  );
}

function NewName({ passkey, onClose }: { passkey: PasskeyJson; onClose: () => void }) {
  const form = useFields({ name: passkey.name });
  const { name } = form.values;
  const submit = () => {
    onClose();
    if (name !== passkey.name) rename(passkey, name);
  };
  const label = words.newName(passkey.name);
  return (
    <li className={classes.item}>
      <Form onSubmit={submit} className={classes.grow}>
        <TextInput
          label={label}
          required
          autoFocus
          maxLength={255}
          inputContainer={beside(
            <Group gap="xs">
              <Button type="submit">{strings.save}</Button>
              <Button variant="default" onClick={onClose}>
                {strings.cancel}
              </Button>
            </Group>,
          )}
          {...fieldProps(form)('name')}
        />
      </Form>
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
