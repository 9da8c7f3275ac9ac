import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useContext } from 'react';
import { api } from '../../api.ts';
import type { LeftPageJson } from '../../contract.ts';
import { CompareContext } from '../../parts/compare-context.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { words } from './words.ts';

interface CompareDialogProps {
  readonly site: { readonly siteId: number; readonly name: string };
  /** The page to compare; undefined while the dialog is closed. */
  readonly page: LeftPageJson | undefined;
  readonly onClose: () => void;
}

/** Shows a site's version of a page beside that of the template. */
export function CompareDialog({ page, onClose, ...props }: CompareDialogProps) {
  return (
    <Dialog opened={page !== undefined} onClose={onClose} title={page && words.compareTitle(page.name)} size="80rem">
      {page && <Versions page={page} {...props} />}
    </Dialog>
  );
}

function Versions({ site, page }: Omit<CompareDialogProps, 'onClose'> & { page: LeftPageJson }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['template page', site.siteId, page.sourceId],
    queryFn: ({ signal }) => api.comparePage(site.siteId, page.sourceId, signal),
    gcTime: 0,
  });
  const CompareVersions = useContext(CompareContext);
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!data || !CompareVersions) return <Skeleton height={200} aria-hidden />;
  if (!data.site) return <Text>{words.notOnSite}</Text>;
  if (!data.template) return <Text>{words.notInTemplate}</Text>;
  return (
    <Suspense fallback={<Skeleton height={200} aria-hidden />}>
      <CompareVersions
        left={{ label: words.onSite(site.name), fields: data.site }}
        right={{ label: words.inTemplate, fields: data.template }}
      />
    </Suspense>
  );
}
