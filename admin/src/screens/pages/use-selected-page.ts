import { useEffect, useState } from 'react';

let latest: number | undefined;

/** Holds the selected page of the tree, which is still selected when the person comes back to the tree. */
export function useSelectedPage(): [number | undefined, (id: number | undefined) => void] {
  const [selected, select] = useState(latest);
  useEffect(() => {
    latest = selected;
  }, [selected]);
  return [selected, select];
}
