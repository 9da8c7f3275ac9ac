import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import type { PageFieldsJson } from '../../../contract.ts';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { strings } from '../../../strings.ts';
import Compare from './compare.tsx';
import RenderedCompare from './rendered-compare.tsx';
import { textOf } from './text-of.ts';

const words = strings.compare;

export interface Version {
  readonly label: string;
  readonly fields: Pick<PageFieldsJson, 'name' | 'description' | 'body' | 'bodyFormat'>;
}

interface CompareVersionsProps {
  readonly left: Version;
  readonly right: Version;
}

/** Compares two versions of a page as visitors would read them, with the differences marked. Can show the source instead. */
export default function CompareVersions({ left, right }: CompareVersionsProps) {
  const [view, setView] = useState<'rendered' | 'source'>('rendered');
  const rendered = useQueries({
    queries: [left, right].map(({ fields: { body, bodyFormat } }) => ({
      queryKey: ['rendered', bodyFormat, body],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.preview(body, bodyFormat, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    })),
  });
  const failed = rendered.filter(({ error }) => error);
  const [before, after] = rendered.map(({ data }) => data?.html);
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={words.view}
        value={view}
        onChange={(value) => setView(value as typeof view)}
        data={[
          { value: 'rendered', label: words.rendered },
          { value: 'source', label: words.source },
        ]}
      />
      {view === 'source' ? (
        <Compare left={sourceOf(left)} right={sourceOf(right)} />
      ) : failed.length > 0 ? (
        <ErrorNotice error={failed[0]!.error} onRetry={() => failed.map(({ refetch }) => refetch())} />
      ) : before === undefined || after === undefined ? (
        <Skeleton height={200} aria-hidden />
      ) : (
        <RenderedCompare
          left={{ ...left.fields, label: left.label, html: before }}
          right={{ ...right.fields, label: right.label, html: after }}
        />
      )}
    </>
  );
}

function sourceOf({ label, fields }: Version) {
  return { label, text: textOf(fields) };
}
