import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { api } from '../../api.ts';
import type { ArchiveJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './settings.module.css';

const words = strings.settings.archive;
const ARCHIVE = ['archive'];

/** Offers everything of the website in one file, which the service makes on demand. */
export function ArchiveSection() {
  const query = useQuery({
    queryKey: ARCHIVE,
    queryFn: api.archive,
    refetchInterval: ({ state }) => (state.data?.archive?.state === 'waiting' ? 2_000 : false),
  });
  const request = useMutation({
    mutationFn: api.requestArchive,
    onSuccess: (archive) => queryClient.setQueryData(ARCHIVE, { archive }),
    onError: (error) => {
      showError(error);
      // Another user may have requested the archive already.
      return queryClient.invalidateQueries({ queryKey: ARCHIVE });
    },
  });
  const archive = query.data?.archive;
  return (
    <Stack gap="lg" align="flex-start">
      <Text className={classes.text}>{words.text}</Text>
      <QueryState query={query} h={96} />
      {archive && <Archive {...archive} />}
      {archive !== undefined && archive?.state !== 'waiting' && (
        <Group gap="sm">
          <Button variant={archive ? 'default' : 'filled'} loading={request.isPending} onClick={() => request.mutate()}>
            {archive ? words.again : words.request}
          </Button>
          {archive?.state === 'done' && (
            <Text size="sm" c="dimmed">
              {words.againText}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Archive({ state, createdAt, createdBy, expiresAt, bytes }: ArchiveJson) {
  const when = formatTime(createdAt);
  return (
    <Paper p="md" w="100%" maw={560} role="status">
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{state === 'waiting' ? words.waiting : state === 'done' ? words.ready : words.failed}</Text>
        <Text size="sm" c="dimmed">
          {state === 'waiting' && words.waitingText(createdBy, when)}
          {state === 'done' && words.readyText(when, formatTime(expiresAt ?? createdAt))}
          {state === 'failed' && words.failedText}
        </Text>
        {state === 'done' && (
          <Button component="a" href="/admin/archive/file" download leftSection={<Download size={16} aria-hidden />}>
            {words.download(bytes ?? 0)}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}
