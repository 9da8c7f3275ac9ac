import { Alert, Badge, Button, Code, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import type { ApiKeyJson, IssuedKeyJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { addItem, changeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './settings.module.css';

const words = strings.settings.keys;
const KEYS = ['keys'];
const OVERLAP_HOURS = 24;
const HOUR_MS = 60 * 60 * 1000;

/** A key that is asked for. */
interface Asked {
  /** As it is in the list until the service has made it. */
  readonly coming: ApiKeyJson;
  readonly show: () => () => void;
  readonly send: () => Promise<IssuedKeyJson>;
  readonly onRefused: (error: unknown) => void;
  /** For whoever has left the screen by the time that it is made, or refused. */
  readonly unseen: string;
  readonly refused: string;
}

export function KeysSection() {
  const keys = useQuery({ queryKey: KEYS, queryFn: api.keys });
  const { user } = useSession();
  const [name, setName] = useState('');
  const [issued, setIssued] = useState<IssuedKeyJson>();
  const [isComing, setComing] = useState(false);
  const [error, setError] = useState<unknown>();
  const isHere = useIsMounted();
  // What does not work any more is not to be copied; undoing that brings it back.
  const isRevoked = keys.data?.keys.some(({ id, revokedAt }) => id === issued?.id && revokedAt !== null);
  const ask = ({ coming, show, send, onRefused, unseen, refused }: Asked) =>
    runOptimistic({
      about: KEYS,
      // All but the secret, which the service alone can make.
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
        // Nobody has seen it, and nobody will.
        if (!isHere.current) return showUndo(unseen, () => revokeUnseen(made));
        setComing(false);
        setIssued({ id, key });
      },
      onError: (failure) => {
        // Whoever is somewhere else by then must not take it for issued.
        if (!isHere.current) return showError(failure, refused);
        setComing(false);
        onRefused(failure);
      },
    });
  const newKey = (called: string) => {
    return { ...unusedKey, id: temporaryId(), name: called, userName: user.name, createdAt: Date.now() };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask({
      coming: newKey(name),
      show: () => {
        setName('');
        setError(undefined);
        return () => {};
      },
      send: () => api.issueKey(name),
      onRefused: (failure) => {
        setName((now) => now || name);
        setError(failure);
      },
      unseen: words.unseen(name),
      refused: words.notIssued(name),
    });
  };
  /** There is no way back from it: the old key is to end, and works meanwhile. */
  const replace = (key: ApiKeyJson) => {
    const end = Date.now() + OVERLAP_HOURS * HOUR_MS;
    const refused = words.notReplaced(key.name);
    ask({
      coming: newKey(key.name),
      show: () => changeItem(KEYS, key, { expiresAt: Math.min(end, key.expiresAt ?? end) }),
      send: () => api.rotateKey(key.id, OVERLAP_HOURS),
      onRefused: (failure) => showError(failure, refused),
      unseen: words.unseenSuccessor(key.name),
      refused,
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
          <Button type="submit" disabled={isComing}>
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
              <Key key={key.id} apiKey={key} onReplace={isComing ? undefined : () => replace(key)} />
            ))}
          </ul>
        </Paper>
      )}
    </Stack>
  );
}

/** By whoever was elsewhere when it came. */
function revokeUnseen(key: ApiKeyJson): void {
  runOptimistic({
    about: KEYS,
    show: () => changeItem(KEYS, key, { revokedAt: Date.now() }),
    send: () => api.revokeKey(key.id),
    onDone: () => showDone(words.revokedUnseen(key.name)),
  });
}

/** What is so of every key that is being made. */
const unusedKey = { last4: '', expiresAt: null, revokedAt: null, lastUsedAt: null, lastUsedIp: null };

interface KeyProps {
  readonly apiKey: ApiKeyJson;
  /** Undefined while another one is being made: of two that come at once nobody would see the first. */
  readonly onReplace: (() => void) | undefined;
}

function Key({ apiKey, onReplace }: KeyProps) {
  const { id, name, last4, userName, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedIp } = apiKey;
  const isOver = revokedAt !== null || (expiresAt !== null && expiresAt <= Date.now());
  const revoke = () =>
    runOptimisticWithUndo({
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
            disabled={!onReplace}
            onClick={onReplace}
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
