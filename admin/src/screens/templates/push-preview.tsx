import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api.ts';
import type { TemplateJson } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { ErrorAlert } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { queryClient } from '../../queries.ts';
import { countPages, inOrder, sitesToChange } from './count-pages.ts';
import { SiteChanges } from './site-changes.tsx';
import classes from './templates.module.css';
import { usePreview, type WholePreview } from './use-preview.ts';
import { words } from './words.ts';

/** Shows on demand what a push would change on each site, and starts the push. */
export function PushPreview({ template: { id, sites, isGone } }: { template: TemplateJson }) {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch, count } = usePreview(id, isWanted);
  if (isGone) return null;
  return (
    <Section title={words.pushTitle} text={sites === 0 ? words.nobody : words.pushText}>
      {sites > 0 && !data && (
        <Group>
          <Button loading={isFetching} onClick={() => (isWanted ? void refetch() : setWanted(true))}>
            {words.look}
          </Button>
          <Text size="sm" role="status">
            {isFetching && words.looking(count)}
          </Text>
        </Group>
      )}
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data && <Preview templateId={id} preview={data} onAgain={refetch} />}
    </Section>
  );
}

interface PreviewProps {
  readonly templateId: number;
  readonly preview: WholePreview;
  readonly onAgain: () => unknown;
}

/** How many sites are listed at first. Sites with pages that are left come before the others. */
const MAX_LISTED = 20;

function Preview({ templateId, preview: { version, sites }, onAgain }: PreviewProps) {
  const [, navigate] = useLocation();
  const [listed, setListed] = useState(MAX_LISTED);
  const start = useMutation({
    mutationFn: () => api.startPush(templateId, { version }),
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['pushes', templateId] });
      navigate(`/templates/${templateId}/pushes/${id}`);
    },
    // The template may have changed, so the sites are compared again.
    onError: () => onAgain(),
  });
  const changing = sitesToChange(sites).length;
  const sum = countPages(sites);
  const shown = inOrder(sites).filter((site) => site.left.length + site.updated.length + site.added.length > 0);
  return (
    <>
      <ErrorAlert error={start.error} mb="md" />
      <Text role="status" mb="md">
        {changing === 0 && sum.left === 0 ? words.upToDate(sites.length) : words.summary(changing, sites.length)}
        {changing + sum.left > 0 && `: ${words.totals(sum)}.`}
      </Text>
      {changing > 0 && (
        <Button mb="md" loading={start.isPending} onClick={() => start.mutate()}>
          {words.push(changing)}
        </Button>
      )}
      <ul className={classes.sites}>
        {shown.slice(0, listed).map((site) => (
          <SiteChanges key={site.siteId} site={site} />
        ))}
      </ul>
      {shown.length > listed && (
        <Button variant="default" size="xs" onClick={() => setListed(listed + MAX_LISTED)}>
          {words.more}
        </Button>
      )}
    </>
  );
}
