import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { api } from '../../../api.ts';
import type { ImportDetailsJson } from '../../../contract.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { ErrorAlert } from '../../../parts/form.tsx';
import { QueryState } from '../../../parts/query-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { useTitle } from '../../../parts/use-title.ts';
import { queryClient } from '../../../queries.ts';
import { formatTime } from '../../../times.ts';
import classes from '../customer.module.css';
import { words } from './words.ts';
import { WrongLines } from './wrong-lines.tsx';

/** How often the state of a running import is requested. */
const INTERVAL_MS = 1000;

/** Shows the progress of an import, and the result of each line. */
export default function ImportDetailsScreen({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['import', id],
    queryFn: ({ signal }) => api.import(id, signal),
    refetchInterval: ({ state: { data } }) => data?.state === 'running' && INTERVAL_MS,
  });
  useTitle(data?.fileName ?? words.title);
  const state = data?.state;
  useEffect(() => {
    if (state === undefined || state === 'running') return;
    // Reload the session, too: the menu shows “Customers” from the first one on.
    for (const queryKey of [['imports'], ['session'], ['customers'], ['plans'], ['overview']]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  }, [state]);
  return (
    <div className={classes.screen}>
      <BackLink href="/customers/import">{words.back}</BackLink>
      <QueryState query={{ data, error, refetch }} h={132} />
      {data && <Import details={data} />}
    </div>
  );
}

function Import({ details }: { details: ImportDetailsJson }) {
  const { id, fileName, state, lineCount, createdCount, skippedCount, by, createdAt, skipped } = details;
  const done = createdCount + skippedCount;
  const change = useMutation({
    mutationFn: () => (state === 'running' ? api.stopImport(id) : api.resumeImport(id)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['import', id] }),
  });
  return (
    <Stack gap="lg">
      <div>
        <Title order={1} dir="auto">
          {fileName}
        </Title>
        <Text size="sm" c="dimmed">
          {words.startedBy(by, formatTime(createdAt))}
        </Text>
      </div>
      <Section title={words.states[state]}>
        <ErrorAlert error={change.error} mb="md" />
        {state !== 'done' && (
          <Progress
            value={lineCount === 0 ? 100 : (100 * done) / lineCount}
            aria-label={words.progress(done, lineCount)}
            mb="sm"
          />
        )}
        <Text role="status">{state === 'running' ? words.progress(done, lineCount) : words.summary(details)}</Text>
        {state !== 'done' && (
          <Text size="sm" c="dimmed">
            {state === 'running' ? words.progressText : words.stoppedText}
          </Text>
        )}
        <Group mt="md">
          {state !== 'done' && (
            <Button
              variant={state === 'running' ? 'default' : 'filled'}
              loading={change.isPending}
              onClick={() => change.mutate()}
            >
              {state === 'running' ? words.stop : words.resume}
            </Button>
          )}
          {state !== 'running' && (
            <Button
              variant="default"
              component="a"
              href={`/admin/imports/${id}/report`}
              download
              leftSection={<Download size={16} aria-hidden />}
            >
              {words.saveReport}
            </Button>
          )}
          {state !== 'running' && createdCount > 0 && (
            <Button variant="default" component={Link} href="/customers">
              {words.toCustomers}
            </Button>
          )}
        </Group>
      </Section>
      {state !== 'running' && skippedCount > 0 && (
        <Section title={words.skipped} text={words.skippedText}>
          <Button
            variant="default"
            component="a"
            href={`/admin/imports/${id}/report?skipped`}
            download
            mb="md"
            leftSection={<Download size={16} aria-hidden />}
          >
            {words.saveSkipped}
          </Button>
          <WrongLines lines={skipped} count={skippedCount} />
        </Section>
      )}
    </Stack>
  );
}
