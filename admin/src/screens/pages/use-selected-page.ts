import { useEffect, useState } from 'react';

let latest: number | undefined;

/** Stores the selected page of the tree, which stays selected when the user comes back to the tree. */
export function useSelectedPage(): [number | undefined, (id: number | undefined) => void] {
  const [selected, select] = useState(latest);
  useEffect(() => {
    latest = selected;
  }, [selected]);
  return [selected, select];
}
