import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PushJson } from '../../contract.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { ErrorAlert } from '../../parts/form.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { queryClient } from '../../queries.ts';
import { formatTime } from '../../times.ts';
import { SiteChanges } from './site-changes.tsx';
import classes from './templates.module.css';
import { words } from './words.ts';

/** How often the progress is requested. */
const LOOK_MS = 1000;

const isMoving = (push: PushJson | undefined) => push?.state === 'running' || push?.state === 'undoing';

/** Shows the progress of a push or its undo, and then what was done on each site. */
export default function PushScreen({ templateId, id }: { templateId: number; id: number }) {
  const queryKey = ['push', id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.push(id, signal),
    refetchInterval: ({ state }) => (isMoving(state.data) ? LOOK_MS : false),
  });
  useTitle(data ? words.pushOf(formatTime(data.createdAt)) : words.pushTitle);
  return (
    <div className={classes.screen}>
      <BackLink href={data ? `/templates/${templateId}` : '/templates'}>{data?.templateName ?? words.back}</BackLink>
      <QueryState query={{ data, error, refetch }} h={132} />
      {data && <Push push={data} onChange={(push) => queryClient.setQueryData(queryKey, push)} />}
    </div>
  );
}

function Push({ push, onChange }: { push: PushJson; onChange: (push: PushJson) => void }) {
  const stop = useMutation({ mutationFn: () => api.stopPush(push.id), onSuccess: onChange });
  const undo = useMutation({ mutationFn: () => api.undoPush(push.id), onSuccess: onChange });
  const { state, createdAt, createdBy, sites } = push;
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{words.pushOf(formatTime(createdAt))}</Title>
        <Text c="dimmed">{words.by(createdBy)}</Text>
      </div>
      <ErrorAlert error={stop.error ?? undo.error} />
      <PushProgress push={push} />
      <Group>
        {state === 'running' && (
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {words.stop}
          </Button>
        )}
        {!isMoving(push) && sites.done > 0 && push.changedPages > 0 && (
          <div>
            <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
              {words.undoAll}
            </Button>
            <Text size="sm" c="dimmed" mt={4}>
              {words.undoText}
            </Text>
          </div>
        )}
      </Group>
      {!isMoving(push) && (push.leftPages > 0 || sites.failed > 0) && (
        <Report push={push} title={words.reportLeft} only="left" />
      )}
      {!isMoving(push) && <Report push={push} title={words.report} />}
    </Stack>
  );
}

function PushProgress({ push }: { push: PushJson }) {
  const { state, sites } = push;
  const left = sites.waiting + sites.undo;
  const count = left + sites.done + sites.failed + sites.undone;
  const progress = words.progress(count - left, count);
  return (
    <div>
      <Text role="status">
        {words.states[state]}:{' '}
        {isMoving(push) ? progress : state === 'undone' ? words.undoneSum(push) : words.done(push)}.
        {sites.failed > 0 && ` ${words.failedSites(sites.failed)}`}
        {state === 'undone' && sites.done > 0 && ` ${words.notUndoneSites(sites.done)}`}
        {sites.stopped > 0 && ` ${words.stoppedSites(sites.stopped)}`}
      </Text>
      {isMoving(push) && (
        <Progress mt="xs" value={count === 0 ? 100 : (100 * (count - left)) / count} aria-label={progress} />
      )}
    </div>
  );
}

interface ReportProps {
  readonly push: PushJson;
  readonly title: string;
  readonly only?: 'left';
}

/** Lists each site with its changes, or only the sites that `only` selects. */
function Report({ push: { id, state }, title, only }: ReportProps) {
  const list = useInfiniteQuery({
    queryKey: ['push sites', id, state, only],
    queryFn: ({ pageParam, signal }) => api.pushSites(id, pageParam, only, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const sites = list.data?.pages.flatMap((page) => page.sites);
  return (
    <Section title={title}>
      <QueryState query={list} h={80} />
      <ul className={classes.sites}>
        {sites?.map((site) => (
          <SiteChanges key={site.siteId} site={site} />
        ))}
      </ul>
      {list.hasNextPage && (
        <SmallButton mt="xs" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {words.more}
        </SmallButton>
      )}
    </Section>
  );
}
