import { Badge, Button, Code, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../api.ts';
import type { DomainJson } from '../../contract.ts';
import { explain, fieldErrors, showError } from '../../explain.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showDone } from '../../parts/undo.tsx';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { queryClient } from '../../queries.ts';
import { addItem, changeItem, removeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import classes from './settings.module.css';

const words = strings.settings.domains;
const DOMAINS = ['domains'];
const refresh = () => queryClient.invalidateQueries({ queryKey: DOMAINS });

export function DomainsSection() {
  const domains = useQuery({ queryKey: DOMAINS, queryFn: api.domains });
  const [host, setHost] = useState('');
  const [error, setError] = useState<unknown>();
  const isFree = useRef(true);
  isFree.current = host === '';
  const isHere = useIsMounted();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = host.trim();
    const coming: DomainJson = { ...unknownDomain, id: temporaryId(), host: wanted, shownHost: wanted };
    runOptimistic({
      about: DOMAINS,
      // All but its records, which the service alone can make.
      show: () => {
        setHost('');
        setError(undefined);
        return addItem(DOMAINS, coming, 'last');
      },
      send: () => api.addDomain(wanted),
      onDone: (domain) => changeItem(DOMAINS, coming, domain),
      onError: (failure) => {
        // Whoever has begun with the next one, or is somewhere else, is not disturbed.
        if (!isFree.current || !isHere.current) return showError(failure, words.notAdded(wanted));
        setHost(wanted);
        setError(failure);
      },
    });
  };
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            className={classes.grow}
            maw={360}
            label={words.add}
            placeholder="www.example.com"
            required
            autoCapitalize="off"
            spellCheck={false}
            value={host}
            error={error !== undefined && (fieldErrors(error).host ?? explain(error))}
            onChange={(event) => setHost(event.currentTarget.value)}
          />
          <Button type="submit">{words.submit}</Button>
        </Group>
      </form>
      {!domains.data && !domains.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {domains.error && <ErrorNotice error={domains.error} onRetry={domains.refetch} />}
      {domains.data?.domains.length === 0 && <Text c="dimmed">{words.empty}</Text>}
      {domains.data && domains.data.domains.length > 0 && (
        <Paper>
          <ul className={classes.list}>
            {domains.data.domains.map((domain) => (
              <Domain key={domain.id} domain={domain} />
            ))}
          </ul>
        </Paper>
      )}
    </Stack>
  );
}

/** What is so of every domain that is being added. */
const unknownDomain = { isPrimary: false, verifiedAt: null, checkedAt: null, notes: [], records: [] };

function Domain({ domain }: { domain: DomainJson }) {
  const isComing = domain.id < 0;
  const isVerified = domain.verifiedAt !== null;
  const verify = useMutation({
    mutationFn: () => api.verifyDomain(domain.id),
    // What is wrong may be what was wrong before: that it was looked for again is to be seen all the same.
    onSuccess: ({ shownHost, notes }) => showDone(words.checked(shownHost, notes.length === 0)),
    onError: showError,
    onSettled: refresh,
  });
  const remove = () =>
    runOptimisticWithUndo({
      about: DOMAINS,
      show: () => removeItem(DOMAINS, domain),
      send: () => api.removeDomain(domain.id),
      sendBack: () => api.restoreDomain(domain.id),
      done: () => words.removed(domain.shownHost, isVerified),
      undone: words.restored(domain.shownHost),
    });
  return (
    <li className={classes.item} data-top>
      <div className={classes.grow}>
        <Group gap="xs">
          <Text fw={600}>{domain.shownHost}</Text>
          <Badge variant={isVerified ? 'light' : 'default'} tt="none" radius="sm">
            {stateOf(domain)}
          </Badge>
        </Group>
        {isComing && <Skeleton h={132} mt={8} opacity={0.4} aria-hidden />}
        {!isComing && !isVerified && (
          <>
            <Text size="sm" my={8}>
              {words.records}
            </Text>
            {domain.records.map(({ type, name, value }) => (
              <dl key={type} className={classes.record}>
                <dt>{words.recordType}</dt>
                <dd>{type}</dd>
                <dt>{words.recordName}</dt>
                <dd>
                  <Code>{name}</Code>
                  <CopyText text={name} label={words.copyName(type)} />
                </dd>
                <dt>{words.recordValue}</dt>
                <dd>
                  <Code>{value}</Code>
                  <CopyText text={value} label={words.copy(type)} />
                </dd>
              </dl>
            ))}
          </>
        )}
        {domain.notes.length > 0 && (
          <Text size="sm" mt={8} c="var(--mantine-color-error)">
            {domain.notes.map(strings.domainNote).join(' ')} {isVerified && words.stays}
          </Text>
        )}
      </div>
      {!isComing && (
        <Group gap="xs">
          {(!isVerified || domain.notes.length > 0) && (
            <Button size="xs" loading={verify.isPending} onClick={() => verify.mutate()}>
              {words.verify}
            </Button>
          )}
          <Button size="xs" variant="default" aria-label={words.removeOf(domain.shownHost)} onClick={remove}>
            {words.remove}
          </Button>
        </Group>
      )}
    </li>
  );
}

function stateOf({ id, verifiedAt, checkedAt, isPrimary }: DomainJson): string {
  if (id < 0) return words.adding;
  if (verifiedAt !== null) return isPrimary ? words.primary : words.verified;
  return checkedAt === null ? words.waiting : words.notProved;
}
