import { Alert, Badge, Button, Code, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { act, addItem, changeItem, nextComing } from '../../act.ts';
import { actWithUndo } from '../../act-with-undo.ts';
import { api } from '../../api.ts';
import type { ApiKeyJson, IssuedKeyJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showUndo } from '../../parts/undo.tsx';
import { useIsHere } from '../../parts/use-is-here.ts';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './settings.module.css';

const words = strings.settings.keys;
const KEYS = ['keys'];
const refresh = () => queryClient.invalidateQueries({ queryKey: KEYS });
const OVERLAP_HOURS = 24;

export function KeysSection() {
  const keys = useQuery({ queryKey: KEYS, queryFn: api.keys });
  const { user } = useSession();
  const [name, setName] = useState('');
  const [issued, setIssued] = useState<IssuedKeyJson>();
  const [isIssuing, setIssuing] = useState(false);
  const [error, setError] = useState<unknown>();
  const isHere = useIsHere();
  // What does not work any more is not to be copied; undoing that brings it back.
  const isRevoked = keys.data?.keys.some(({ id, revokedAt }) => id === issued?.id && revokedAt !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const coming = { ...unusedKey, id: nextComing(), name, userName: user.name, createdAt: Date.now() };
    act({
      about: KEYS,
      // All but the secret, which the service alone can make.
      show: () => {
        setName('');
        setError(undefined);
        setIssuing(true);
        return addItem(KEYS, coming, 'first');
      },
      send: () => api.issueKey(name),
      onDone: (key) => {
        // Nobody has seen it, and nobody will.
        if (!isHere.current) return showUndo(words.unseen(name), () => api.revokeKey(key.id).then(refresh));
        setIssuing(false);
        setIssued(key);
      },
      onError: (failure) => {
        // Whoever is somewhere else by then must not take it for issued.
        if (!isHere.current) return showError(failure, words.notIssued(name));
        setIssuing(false);
        setName((now) => now || name);
        setError(failure);
      },
    });
  };
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      {isIssuing && (
        <Alert variant="light" color="ink" title={words.issuing}>
          <Skeleton h={22} maw={420} />
        </Alert>
      )}
      {issued && !isRevoked && !isIssuing && (
        <Alert
          variant="light"
          color="ink"
          title={words.issued}
          withCloseButton
          onClose={() => setIssued(undefined)}
          closeButtonLabel={strings.close}
        >
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{issued.key}</Code>
            <CopyText text={issued.key} label={strings.copy} />
          </Group>
        </Alert>
      )}
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            className={classes.grow}
            maw={360}
            label={words.name}
            placeholder={words.example}
            required
            value={name}
            error={error !== undefined && (fieldErrors(error).name ?? explain(error))}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={isIssuing}>
            {words.submit}
          </Button>
        </Group>
      </form>
      {!keys.data && !keys.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {keys.error && <ErrorNotice error={keys.error} onRetry={keys.refetch} />}
      {keys.data?.keys.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      {keys.data && keys.data.keys.length > 0 && (
        <Paper>
          <ul className={classes.list}>
            {keys.data.keys.map((key) => (
              <Key key={key.id} apiKey={key} onIssued={setIssued} />
            ))}
          </ul>
        </Paper>
      )}
    </Stack>
  );
}

/** What is so of every key that is being made. */
const unusedKey = { last4: '', expiresAt: null, revokedAt: null, lastUsedAt: null, lastUsedIp: null };

function Key({ apiKey, onIssued }: { apiKey: ApiKeyJson; onIssued: (key: IssuedKeyJson) => void }) {
  const { id, name, last4, userName, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedIp } = apiKey;
  const isOver = revokedAt !== null || (expiresAt !== null && expiresAt <= Date.now());
  const rotate = useMutation({
    mutationFn: () => api.rotateKey(id, OVERLAP_HOURS),
    onError: showError,
    onSuccess: onIssued,
    onSettled: refresh,
  });
  const revoke = () =>
    actWithUndo({
      about: KEYS,
      show: () => changeItem(KEYS, apiKey, { revokedAt: Date.now() }),
      send: () => api.revokeKey(id),
      sendBack: () => api.restoreKey(id),
      done: () => words.gone(name),
      undone: words.restored(name),
    });
  const used = lastUsedAt === null ? words.neverUsed : words.used(formatTime(lastUsedAt), lastUsedIp);
  return (
    <li className={classes.item}>
      <div className={classes.grow}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {id > 0 && <Code>…{last4}</Code>}
          {isOver && (
            <Badge variant="default" radius="sm" tt="none">
              {revokedAt === null ? words.expired : words.revoked}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {words.issuedBy(userName, formatTime(createdAt))} · {used}
          {!isOver && expiresAt !== null && ` · ${words.endsAt(formatTime(expiresAt))}`}
        </Text>
      </div>
      {!isOver && id > 0 && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={words.rotateOf(name)}
            loading={rotate.isPending}
            onClick={() => rotate.mutate()}
          >
            {words.rotate}
          </Button>
          <Button size="xs" variant="default" aria-label={words.revokeOf(name)} onClick={revoke}>
            {words.revoke}
          </Button>
        </Group>
      )}
    </li>
  );
}
