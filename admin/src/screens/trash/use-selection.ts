import { useState } from 'react';

/** Holds which items of a list are selected. What leaves the list is selected no longer. */
export function useSelection<T extends { readonly id: number }>(items: readonly T[] = []) {
  const [ids, choose] = useState<readonly number[]>([]);
  const selectionOf = ({ id }: T) => ({
    checked: ids.includes(id),
    onChange: () => choose((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id])),
  });
  const chooseAll = () => choose(items.map(({ id }) => id));
  return { chosen: items.filter(({ id }) => ids.includes(id)), choose, chooseAll, selectionOf };
}
