import { Anchor, Breadcrumbs, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api.ts';
import { showError } from '../../explain.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { textOf } from './conflict.tsx';
import classes from './editor.module.css';

const Compare = lazy(() => import('./compare.tsx'));

const words = strings.revisions;

/** What a page was before, compared with what it is; each can be had back. */
export default function RevisionsScreen({ id }: { id: number }) {
  const mayEdit = useMay('edit_pages');
  const [, navigate] = useLocation();
  const [selected, select] = useState<number>();
  // As it is now, not as it was when it was opened: what one compares with is what is replaced.
  const page = useQuery({ queryKey: ['page', id], queryFn: () => api.page(id), staleTime: 0 });
  const list = useQuery({ queryKey: ['revisions', id], queryFn: () => api.revisions(id), staleTime: 0 });
  const revisions = list.data?.revisions;
  const wanted = selected ?? revisions?.[0]?.id;
  const revision = useQuery({
    queryKey: ['revision', wanted],
    queryFn: () => api.revision(wanted!),
    enabled: wanted !== undefined,
  });
  useEffect(() => {
    document.title = `${words.title} · ${strings.product}`;
  }, []);
  const restore = useMutation({
    mutationFn: (revisionId: number) => api.restoreRevision(revisionId, page.data!.version),
    onError: (failure) => {
      showError(failure);
      void queryClient.invalidateQueries();
    },
    onSuccess: ({ undo }) => {
      void queryClient.invalidateQueries();
      navigate(`/pages/${id}`);
      if (undo === null) return;
      showUndo(words.restored, () => {
        // What the editor and the tree show of it, too.
        return api.undo(undo).then(() => queryClient.invalidateQueries());
      });
    },
  });
  const error = page.error ?? list.error ?? revision.error;
  return (
    <div className={classes.revisions}>
      <Breadcrumbs mb="sm" className={classes.trail}>
        <Anchor component={Link} href="/pages">
          {strings.frame.pages}
        </Anchor>
        {/* The address is known with the rest: the screen is the same for every page until then. */}
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
      {error && <ErrorNotice error={error} onRetry={list.refetch} />}
      {!revisions && !error && <Skeleton h={120} radius="md" opacity={0.4} />}
      {revisions?.length === 0 && (
        <Paper p="xl">
          <Text>{words.empty}</Text>
        </Paper>
      )}
      {revisions && revisions.length > 0 && (
        <div className={classes.history}>
          <nav aria-label={words.list} className={classes.historyList}>
            {revisions.map(({ id: one, at, by }) => (
              <button
                key={one}
                type="button"
                className={classes.historyEntry}
                aria-current={one === wanted}
                onClick={() => select(one)}
              >
                <span>{formatTime(at)}</span>
                <small>{by}</small>
              </button>
            ))}
          </nav>
          <Paper p="md" className={classes.historyMain}>
            {revision.data && page.data ? (
              <>
                <Group justify="space-between" mb="md">
                  <Text>{words.by(revision.data.by, formatTime(revision.data.at))}</Text>
                  {mayEdit && (
                    <Button
                      loading={restore.isPending}
                      disabled={page.isFetching}
                      onClick={() => restore.mutate(revision.data.id)}
                    >
                      {words.restore}
                    </Button>
                  )}
                </Group>
                {textOf(revision.data) === textOf(page.data) && revision.data.bodyFormat === page.data.bodyFormat && (
                  <Text size="sm" c="dimmed" mb="md">
                    {words.same}
                  </Text>
                )}
                <Suspense fallback={<Skeleton height={200} aria-hidden />}>
                  <Compare
                    left={{ label: words.before, text: textOf(revision.data) }}
                    right={{ label: words.now, text: textOf(page.data) }}
                    format={revision.data.bodyFormat}
                  />
                </Suspense>
              </>
            ) : (
              <Skeleton height={200} aria-hidden />
            )}
          </Paper>
        </div>
      )}
    </div>
  );
}
