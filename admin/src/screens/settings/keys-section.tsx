import { Alert, Badge, Button, Code, Group, MultiSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { ApiKeyJson, IssuedKeyJson, Scope } from '../../contract.ts';
import { onlyFieldError, showError } from '../../explain.ts';
import { beside } from '../../parts/beside-input.tsx';
import { Form, fieldProps, useFields } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { addItem, changeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { Item, ItemList } from './item-list.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import classes from './settings.module.css';
import { ShownSecret } from './shown-secret.tsx';
import { useRefusal } from './use-refusal.ts';

const words = strings.settings.keys;
const KEYS = ['keys'];
const OVERLAP_HOURS = 24;
const HOUR_MS = 60 * 60 * 1000;
const EMPTY: { name: string; scopes: Scope[] } = { name: '', scopes: [] };
const scopeOptions = Object.entries(words.scopeNames).map(([value, label]) => ({ value, label }));

/** A request for a new key. */
interface KeyRequest {
  /** The item that the list shows until the service has created the key. */
  readonly coming: ApiKeyJson;
  readonly show: () => () => void;
  readonly send: () => Promise<IssuedKeyJson>;
  readonly onRefused: (error: unknown) => void;
  /** The message for a user who has left the screen by the time that the key is created. */
  readonly unseen: string;
}

export function KeysSection() {
  const keys = useQuery({ queryKey: KEYS, queryFn: api.keys });
  const { user } = useSession();
  const form = useFields(EMPTY);
  const [issued, setIssued] = useState<IssuedKeyJson>();
  const [isComing, setComing] = useState(false);
  const { error, accept, refuse } = useRefusal({ isFree: form.values.name === '', set: form.set });
  const isHere = useIsMounted();
  // A revoked key is not offered for copying. Undoing the revocation shows it again.
  const isRevoked = keys.data?.keys.some(({ id, revokedAt }) => id === issued?.id && revokedAt !== null);
  const requestKey = ({ coming, show, send, onRefused, unseen }: KeyRequest) =>
    runOptimistic({
      about: KEYS,
      // Shown without the secret, which only the service can create.
      show: () => {
        setComing(true);
        const takeBack = show();
        const takeOut = addItem(KEYS, coming, 'first');
        return () => {
          takeOut();
          takeBack();
        };
      },
      send,
      onDone: ({ id, key }) => {
        const made = { ...coming, id, last4: key.slice(-4) };
        changeItem(KEYS, coming, made);
        // The secret is shown only on this screen, so nobody has seen it.
        if (!isHere.current) return showUndo(unseen, () => revokeUnseen(made));
        setComing(false);
        setIssued({ id, key });
      },
      onError: (failure) => {
        setComing(false);
        onRefused(failure);
      },
    });
  const newKey = (name: string, scopes: ApiKeyJson['scopes']) => {
    return { ...unusedKey, id: temporaryId(), name, scopes, userName: user.name, createdAt: Date.now() };
  };
  const submit = () => {
    const { name, scopes: chosen } = form.values;
    const scopes = chosen.length === 0 ? null : chosen;
    requestKey({
      coming: newKey(name, scopes),
      show: () => {
        form.set(EMPTY);
        accept();
        return () => {};
      },
      send: () => api.issueKey(name, scopes),
      onRefused: (failure) => refuse(failure, { name, scopes: chosen }, words.notIssued(name)),
      unseen: words.unseen(name),
    });
  };
  /** Replaces a key. Cannot be undone: the old key is meant to end, and works until then. */
  const replace = (key: ApiKeyJson) => {
    const end = Date.now() + OVERLAP_HOURS * HOUR_MS;
    requestKey({
      coming: newKey(key.name, key.scopes),
      show: () => changeItem(KEYS, key, { expiresAt: Math.min(end, key.expiresAt ?? end) }),
      send: () => api.rotateKey(key.id, OVERLAP_HOURS),
      onRefused: (failure) => showError(failure, words.notReplaced(key.name)),
      unseen: words.unseenSuccessor(key.name),
    });
  };
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      {isComing && (
        <Alert variant="light" color="ink" title={words.issuing}>
          <Skeleton h={22} maw={420} />
        </Alert>
      )}
      {issued && !isRevoked && !isComing && (
        <ShownSecret title={words.issued} secret={issued.key} onClose={() => setIssued(undefined)} />
      )}
      <Form onSubmit={submit}>
        <Group align="flex-start">
          <TextInput
            className={classes.grow}
            maw={520}
            label={words.name}
            placeholder={words.example}
            required
            {...fieldProps(form)('name')}
            error={onlyFieldError(error, 'name')}
          />
          <MultiSelect
            className={classes.growWithButton}
            maw={520}
            label={words.scopes}
            placeholder={form.values.scopes.length === 0 ? words.everything : undefined}
            data={scopeOptions}
            value={form.values.scopes}
            onChange={(scopes) => form.set({ scopes: scopes as Scope[] })}
            hidePickedOptions
            inputContainer={beside(
              <Button type="submit" disabled={isComing}>
                {words.submit}
              </Button>,
            )}
          />
        </Group>
      </Form>
      <ItemList query={keys} items={keys.data?.keys} empty={words.empty}>
        {(key) => <Key key={key.id} apiKey={key} onReplace={isComing ? undefined : () => replace(key)} />}
      </ItemList>
    </Stack>
  );
}

/** Revokes a new key whose secret nobody has seen. */
function revokeUnseen(key: ApiKeyJson): void {
  runOptimistic({
    about: KEYS,
    show: () => changeItem(KEYS, key, { revokedAt: Date.now() }),
    send: () => api.revokeKey(key.id),
    onDone: () => showDone(words.revokedUnseen(key.name)),
  });
}

/** The fields of a key that is being created. */
const unusedKey = {
  last4: '',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  lastUsedIp: null,
  issuerName: null,
  issuedKeys: 0,
};

interface KeyProps {
  readonly apiKey: ApiKeyJson;
  /** Undefined while another key is being created, because only one secret can be shown. */
  readonly onReplace: (() => void) | undefined;
}

function Key({ apiKey, onReplace }: KeyProps) {
  const { id, name, last4, userName, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedIp, scopes } = apiKey;
  const [isAsking, setAsking] = useState(false);
  const isOver = revokedAt !== null || (expiresAt !== null && expiresAt <= Date.now());
  const show = () => {
    setAsking(false);
    return changeItem(KEYS, apiKey, { revokedAt: Date.now() });
  };
  const revoke = () =>
    runOptimisticWithUndo({
      about: KEYS,
      show,
      send: () => api.revokeKey(id),
      sendBack: () => api.restoreKey(id),
      done: () => words.gone(name),
      undone: words.restored(name),
    });
  const revokeWithIssued = () =>
    runOptimistic({
      about: KEYS,
      show,
      send: () => api.revokeKeyAndIssued(id),
      onDone: () => showDone(words.allGone(name)),
    });
  const used = lastUsedAt === null ? words.neverUsed : words.used(formatTime(lastUsedAt), lastUsedIp);
  const badge = (
    <>
      {id > 0 && <Code>…{last4}</Code>}
      {isOver && <Badge variant="default">{revokedAt === null ? words.expired : words.revoked}</Badge>}
    </>
  );
  const details = [words.issuedBy(userName, apiKey.issuerName, formatTime(createdAt)), used];
  if (scopes) details.push(words.limitedTo(scopes.map((scope) => words.scopeNames[scope])));
  if (!isOver && expiresAt !== null) details.push(words.endsAt(formatTime(expiresAt)));
  return (
    <Item name={name} badge={badge} details={details.join(' · ')}>
      {!isOver && id > 0 && (
        <Group gap="xs">
          <SmallButton aria-label={words.rotateOf(name)} disabled={!onReplace} onClick={onReplace}>
            {words.rotate}
          </SmallButton>
          <SmallButton
            aria-label={words.revokeOf(name)}
            onClick={apiKey.issuedKeys > 0 ? () => setAsking(true) : revoke}
          >
            {words.revoke}
          </SmallButton>
        </Group>
      )}
      <RevokeKeyDialog
        apiKey={isAsking ? apiKey : undefined}
        onClose={() => setAsking(false)}
        onRevoke={revoke}
        onRevokeWithIssued={revokeWithIssued}
      />
    </Item>
  );
}
