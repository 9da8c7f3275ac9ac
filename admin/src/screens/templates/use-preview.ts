import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { SitePreviewJson } from '../../contract.ts';

export interface WholePreview {
  readonly version: number;
  readonly sites: readonly SitePreviewJson[];
}

/** Compares a template with all sites that were created from it, in batches, once `isWanted` is true. */
export function usePreview(templateId: number, isWanted: boolean) {
  const [count, setCount] = useState(0);
  const query = useQuery({
    queryKey: ['template preview', templateId],
    queryFn: async ({ signal }): Promise<WholePreview> => {
      setCount(0);
      const sites: SitePreviewJson[] = [];
      for (let after = 0; ; ) {
        const part = await api.previewPush(templateId, after, signal);
        sites.push(...part.sites);
        setCount(sites.length);
        // The push is refused if the template has changed since the last batch. The sites are compared again then.
        if (part.next === null) return { version: part.version, sites };
        after = part.next;
      }
    },
    enabled: isWanted,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return { ...query, count };
}
