import { Skeleton, Stack, Switch, Text } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../api.ts';
import type { AgencyAccessInput, AgencyAccessJson, VisitJson } from '../../contract.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Section } from '../../parts/section.tsx';
import { queryClient } from '../../queries.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { formatClock, formatTime } from '../../times.ts';
import { words } from './agency-words.ts';
import { Item, ItemList } from './item-list.tsx';
import classes from './settings.module.css';

const ACCESS = ['agency access'];

/** Shows whether the agency may access the account, and when it has. */
export function AgencySection() {
  const { agency } = useSession();
  const list = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery({
    queryKey: ACCESS,
    queryFn: ({ pageParam }) => api.agencyAccess(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ visits, hasMore }) => (hasMore ? visits.at(-1)?.id : undefined),
  });
  const access = query.data?.pages[0];
  const visits = query.data?.pages.flatMap((page) => page.visits);
  // Until the session is known.
  if (agency === null) return <Skeleton h={132} radius="md" opacity={0.4} />;
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text(agency)}</Text>
      <Stack gap="md">
        <Switch
          label={words.allow(agency)}
          checked={access?.isAllowed ?? true}
          disabled={!access}
          onChange={({ currentTarget: { checked } }) =>
            change({ isAllowed: checked }, checked ? words.allowed : words.forbidden)
          }
        />
        <Switch
          label={words.mail}
          checked={access?.isMailed ?? true}
          disabled={!access?.isAllowed}
          onChange={({ currentTarget: { checked } }) =>
            change({ isMailed: checked }, checked ? words.mailOn : words.mailOff)
          }
        />
      </Stack>
      <Section title={words.visits}>
        <div ref={list}>
          <ItemList query={query} items={visits} empty={words.none} isInside>
            {(visit) => <Visit key={visit.id} {...visit} />}
          </ItemList>
        </div>
        <MoreButton label={words.more} list={list} count={visits?.length ?? 0} query={query} />
      </Section>
    </Stack>
  );
}

function Visit({ agent, person, reason, startedAt, endsAt }: VisitJson) {
  return (
    <Item
      name={words.visit(agent, person)}
      details={words.when(formatTime(startedAt), formatClock(endsAt))}
      more={<Text size="sm">{reason}</Text>}
    />
  );
}

type Flags = Required<AgencyAccessInput>;

function change(input: Partial<Flags>, done: string): void {
  const before = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, !value])) as Partial<Flags>;
  runOptimisticWithUndo({
    about: ACCESS,
    show: () => show(input),
    send: () => api.changeAgencyAccess(input),
    done: () => done,
    showBack: () => show(before),
    sendBack: () => api.changeAgencyAccess(before),
  });
}

/** Shows the flags. Returns a function that restores the former ones. */
function show(input: Partial<Flags>): () => void {
  const before = queryClient.getQueryData<InfiniteData<AgencyAccessJson>>(ACCESS)?.pages[0];
  const set = (flags: Partial<Flags>) =>
    queryClient.setQueryData<InfiniteData<AgencyAccessJson>>(
      ACCESS,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, ...flags })) },
    );
  set(input);
  return () => before && set({ isAllowed: before.isAllowed, isMailed: before.isMailed });
}
