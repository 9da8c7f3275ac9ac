import { Skeleton } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';

interface QueryStateProps {
  readonly query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  /** The height of the skeleton. */
  readonly h: number;
}

/** Shows a skeleton until the data of a query are there, and what went wrong if they could not be read. */
export function QueryState({ query: { data, error, refetch }, h }: QueryStateProps) {
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  return data === undefined && <Skeleton h={h} radius="md" opacity={0.4} />;
}
