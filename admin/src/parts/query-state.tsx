import { Skeleton } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';

interface QueryStateProps {
  readonly query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  /** The height of the skeleton. */
  readonly h: number;
}

/** Shows a skeleton until a query has data, or an error if the query failed. */
export function QueryState({ query: { data, error, refetch }, h }: QueryStateProps) {
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  return data === undefined && <Skeleton h={h} radius="md" opacity={0.4} />;
}
