import { useCallback, useEffect, useState } from 'react';
import { readItem, storeItem } from '../../browser-storage.ts';
import { useIsKnown, useSession } from '../../session.ts';

/** Which pages of the tree are open, kept on this device so that one finds the tree as one left it. */
export function useOpenPages(): [ReadonlySet<number>, (id: number, open: boolean) => void] {
  const isKnown = useIsKnown();
  const key = `freehold:open:${useSession().account.id}`;
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(isKnown ? read(key) : []));
  // Whose they are may be known only later.
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

/** Each is asked for when the tree is shown. */
const MAX_OPEN_PAGES = 30;

function read(key: string): number[] {
  const stored = readItem(key);
  return Array.isArray(stored) ? stored.filter(Number.isInteger).slice(-MAX_OPEN_PAGES) : [];
}
