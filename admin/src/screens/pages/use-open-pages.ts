import { useCallback, useEffect, useState } from 'react';
import { keep, kept } from '../../kept.ts';
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
        keep(key, [...after].slice(-MOST));
        return after;
      }),
    [key],
  );
  return [open, set];
}

/** Each is asked for when the tree is shown. */
const MOST = 30;

function read(key: string): number[] {
  const stored = kept(key);
  return Array.isArray(stored) ? stored.filter(Number.isInteger).slice(-MOST) : [];
}
