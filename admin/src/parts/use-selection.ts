import { type ChangeEvent, useRef, useState } from 'react';
import { between } from './between.ts';

/** The properties of a checkbox that selects items of a list. */
export interface Selection {
  readonly checked: boolean;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/**
 * Holds which items of a list are selected. With the shift key, a click selects all items from the last clicked one. Items
 * that leave the list are no longer selected.
 */
export function useSelection<T extends { readonly id: number }>(items: readonly T[] = []) {
  const [ids, choose] = useState<readonly number[]>([]);
  const last = useRef<number>(undefined);
  const selectionOf = ({ id }: T): Selection => ({
    checked: ids.includes(id),
    onChange: ({ currentTarget: { checked }, nativeEvent }) => {
      const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
      const clicked = isRange ? between(items, last.current, id) : [id];
      last.current = id;
      choose((before) => [...before.filter((one) => !clicked.includes(one)), ...(checked ? clicked : [])]);
    },
  });
  const chooseAll = () => choose(items.map(({ id }) => id));
  return { chosen: items.filter(({ id }) => ids.includes(id)), choose, chooseAll, selectionOf };
}
