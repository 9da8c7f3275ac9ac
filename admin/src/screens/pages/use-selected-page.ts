import { useEffect, useState } from 'react';

let latest: number | undefined;

/** Which page of the tree is selected: whoever comes back to the tree is at the one that they left it from. */
export function useSelectedPage(): [number | undefined, (id: number | undefined) => void] {
  const [selected, select] = useState(latest);
  useEffect(() => {
    latest = selected;
  }, [selected]);
  return [selected, select];
}
