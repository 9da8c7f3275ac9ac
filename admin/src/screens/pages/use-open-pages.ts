import { useCallback, useEffect, useState } from 'react';
import { readItem, storeItem } from '../../browser-storage.ts';
import { useIsKnown, useSession } from '../../session.ts';

/** Returns the expanded pages of the tree, which are stored in this browser to restore the tree on the next visit. */
export function useOpenPages(): [ReadonlySet<number>, (id: number, open: boolean) => void] {
  const isKnown = useIsKnown();
  const key = `app:open:${useSession().account.id}`;
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(isKnown ? read(key) : []));
  // The account may become known only after the first render.
  useEffect(() => setOpen(new Set(read(key))), [key]);
  const set = useCallback(
    (id: number, isOpen: boolean) =>
      setOpen((before) => {
        const after = new Set(before);
        if (isOpen) after.add(id);
        else after.delete(id);
        storeItem(key, [...after].slice(-MAX_OPEN_PAGES));
        return after;
      }),
    [key],
  );
  return [open, set];
}

/** Limits the requests when the tree is shown: each expanded page costs one. */
const MAX_OPEN_PAGES = 30;

function read(key: string): number[] {
  const stored = readItem(key);
  return Array.isArray(stored) ? stored.filter(Number.isInteger).slice(-MAX_OPEN_PAGES) : [];
}
