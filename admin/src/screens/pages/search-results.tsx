import { Badge, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { strings } from '../../strings.ts';
import classes from './pages-screen.module.css';

const words = strings.pages;

export function SearchResults({ text }: { text: string }) {
  const found = useQuery({
    queryKey: ['pages', 'search', text],
    queryFn: ({ signal }) => api.searchPages(text, signal),
    placeholderData: keepPreviousData,
  });
  if (found.error) return <ErrorNotice error={found.error} onRetry={found.refetch} />;
  const { pages, hasMore = false } = found.data ?? {};
  const isEarlier = found.isPlaceholderData;
  return (
    <Paper p="xs" className={isEarlier ? classes.earlier : undefined}>
      <Text size="sm" c="dimmed" px="sm" py={6} role="status">
        {pages && !isEarlier ? (
          words.results(pages.length, hasMore)
        ) : (
          <span className={classes.looking}>{words.loading}</span>
        )}
      </Text>
      {!pages && <Skeleton height={40} aria-hidden />}
      {pages?.length === 0 && !isEarlier && (
        <Text px="sm" pb="sm">
          {words.noResults(text)}
        </Text>
      )}
      <Stack gap={0}>
        {pages?.map(({ id, name, path, isHome, isHidden, isPublished, excerpt }) => (
          <Link key={id} href={`/pages/${id}`} className={classes.result}>
            <Group gap="xs">
              <Text fw={500} dir="auto">
                {name}
              </Text>
              {(isHidden || !isPublished) && (
                <Badge size="sm" variant="default">
                  {isPublished ? words.hidden : words.unpublished}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed" truncate>
              {isHome ? '/' : path}
            </Text>
            {excerpt && (
              <Text size="sm" dir="auto">
                {excerpt.before}
                <mark>{excerpt.match}</mark>
                {excerpt.after}
              </Text>
            )}
          </Link>
        ))}
      </Stack>
    </Paper>
  );
}
