import { Anchor, Breadcrumbs, Button, Group, NativeSelect, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useIsMutating, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../api.ts';
import type { PageJson, RevisionJson, WholeRevisionJson } from '../../../contract.ts';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { useTitle } from '../../../parts/use-title.ts';
import { useMay, useSession } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { formatTime } from '../../../times.ts';
import classes from '../editor.module.css';
import CompareVersions from './compare-versions.tsx';
import { DifferentSettings, settingsThatDiffer } from './different-settings.tsx';
import { listOf, pageOf, restoreVersion, versionsOf, wholeOf } from './restore-version.ts';
import { textOf } from './text-of.ts';

const words = strings.revisions;
const compareWords = strings.compare;

/** Shows the earlier versions of a page, compared with the present version or with each other. Each can be restored. */
export default function RevisionsScreen({ id }: { id: number }) {
  const mayEdit = useMay('edit_pages');
  const { user } = useSession();
  const [selected, select] = useState<number>();
  const [other, setOther] = useState<number>();
  // Always reloaded: restoring replaces the published version, which is compared with.
  const page = useQuery({ queryKey: pageOf(id), queryFn: () => api.page(id), staleTime: 0 });
  const list = useInfiniteQuery({
    queryKey: listOf(id),
    queryFn: ({ pageParam }) => api.revisions(id, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ revisions, hasMore }) => (hasMore ? revisions.at(-1)?.version : undefined),
    staleTime: 0,
  });
  const revisions = list.data?.pages.flatMap((part) => part.revisions);
  const wanted = revisions?.find((one) => one.id === selected) ?? revisions?.[0];
  const against = revisions?.find((one) => one.id === other && one !== wanted);
  const revision = useRevision(wanted);
  const otherRevision = useRevision(against);
  const sides = [revision.data, against ? otherRevision.data : page.data] as const;
  useTitle(words.title);
  const isRestoring = useIsMutating({ mutationKey: versionsOf(id) }) > 0;
  const current = page.data?.isPublished === false ? words.nowUnpublished : words.now;
  const now = isRestoring ? words.restoring : current;
  const restore = () => {
    if (!page.data || !revision.data) return;
    // Keeps this version selected. The default is the latest version, and restoring adds a later one.
    select(revision.data.id);
    setOther(undefined);
    restoreVersion(page.data, revision.data, user.name);
  };
  const failed = [page, list, revision, otherRevision].filter(({ error }) => error);
  const error = failed[0]?.error;
  return (
    <div className={classes.revisions}>
      <Breadcrumbs mb="sm" className={classes.trail}>
        <Anchor component={Link} href="/pages">
          {strings.frame.pages}
        </Anchor>
        {/* No link until the page's name has loaded: the prerendered screen is the same for every page. */}
        {page.data ? (
          <Anchor component={Link} href={`/pages/${id}`}>
            {page.data.name}
          </Anchor>
        ) : (
          <Text component="span">…</Text>
        )}
        <Text component="span">{words.title}</Text>
      </Breadcrumbs>
      <Title order={1} mb="md">
        {words.title}
      </Title>
      <Text className={classes.introduction} mb="lg">
        {words.text}
      </Text>
      {error && <ErrorNotice error={error} onRetry={() => failed.map(({ refetch }) => refetch())} />}
      {!revisions && !error && <Skeleton h={120} radius="md" opacity={0.4} />}
      {revisions?.length === 0 && (
        <Paper p="xl">
          <Text>{words.empty}</Text>
        </Paper>
      )}
      {revisions && wanted && (
        <div className={classes.history}>
          <nav aria-label={words.list} className={classes.historyList}>
            {revisions.map(({ id: one, at, by }) => (
              <button
                key={one}
                type="button"
                className={classes.historyEntry}
                aria-current={one === wanted?.id}
                onClick={() => select(one)}
              >
                <span>{formatTime(at)}</span>
                <small>{by}</small>
              </button>
            ))}
            {list.hasNextPage && (
              <SmallButton mt="xs" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
                {words.more}
              </SmallButton>
            )}
          </nav>
          <Paper p="md" className={classes.historyMain}>
            <Text mb="sm">{words.by(wanted.by, formatTime(wanted.at))}</Text>
            <Group justify="space-between" align="end" mb="md">
              <NativeSelect
                label={words.compareWith}
                value={against?.id ?? ''}
                data={[
                  { value: '', label: now },
                  ...revisions
                    .filter((one) => one !== wanted)
                    .map((one) => ({ value: String(one.id), label: nameOf(one) })),
                ]}
                onChange={({ currentTarget: { value } }) => setOther(value === '' ? undefined : Number(value))}
              />
              {mayEdit && (
                <Button
                  disabled={isRestoring || page.isFetching || !page.data || !revision.data || wanted.id < 0}
                  onClick={restore}
                >
                  {words.restore}
                </Button>
              )}
            </Group>
            {sides[0] && sides[1] ? (
              <Comparison sides={[sides[0], sides[1]]} now={now} />
            ) : (
              !error && <Skeleton height={200} aria-hidden />
            )}
          </Paper>
        </div>
      )}
    </div>
  );
}

function useRevision(wanted: RevisionJson | undefined) {
  return useQuery({
    queryKey: wholeOf(wanted?.id),
    queryFn: () => api.revision(wanted!.id),
    // A version with a temporary id was just replaced and is not on the service yet.
    enabled: wanted !== undefined && wanted.id > 0,
  });
}

type Version = WholeRevisionJson | PageJson;

/** Compares two versions, the older one on the left, whichever was chosen first. */
function Comparison({ sides, now }: { sides: readonly [Version, Version]; now: string }) {
  const { timeZone } = useSession().account;
  const [before, after] = sides.toSorted((one, other) => orderOf(one) - orderOf(other)) as [Version, Version];
  const left = { label: labelOf(before, now), fields: before };
  const right = { label: labelOf(after, now), fields: after };
  const settings = settingsThatDiffer(before, after, timeZone);
  return (
    <>
      {settings.length > 0 && <DifferentSettings settings={settings} left={left.label} right={right.label} />}
      {textOf(before) === textOf(after) && (
        <Text size="sm" c="dimmed" mb="md">
          {settings.length > 0 ? compareWords.same : compareWords.allSame}
        </Text>
      )}
      <CompareVersions key={`${before.version} ${after.version}`} left={left} right={right} />
    </>
  );
}

/** Orders versions by number. The published state comes last, after revisions that have no final number yet. */
function orderOf(version: Version): number {
  return 'at' in version ? version.version : Number.POSITIVE_INFINITY;
}

function labelOf(version: Version, now: string): string {
  return 'at' in version ? nameOf(version) : now;
}

function nameOf({ by, at }: RevisionJson): string {
  return words.version(by, formatTime(at));
}
