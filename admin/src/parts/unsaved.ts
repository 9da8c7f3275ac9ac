import { readItem, removeItem, storeItem } from '../browser-storage.ts';

export type Fields<T> = { readonly [name in keyof T]: string };

/**
 * Returns what is typed after another change. A value equal to the saved one is no change. All others stay while they are
 * being saved, which may be refused.
 */
export function withTyped<T extends Fields<T>>(typed: Partial<T>, change: Partial<T>, saved: Partial<T>): Partial<T> {
  const others = Object.entries(typed).filter(([name]) => !(name in change));
  return { ...(Object.fromEntries(others) as Partial<T>), ...differing(change, saved) };
}

/** Keeps what is typed in this browser; nothing typed leaves nothing there. */
export function storeUnsaved(key: string, fields: object): void {
  if (Object.keys(fields).length > 0) storeItem(key, fields);
  else removeItem(key);
}

/** Returns what in this browser differs from what is saved. */
export function readUnsaved<T extends Fields<T>>(key: string, saved: Partial<T>): Partial<T> {
  const stored = readItem(key);
  return typeof stored === 'object' && stored !== null ? differing(stored as Partial<T>, saved) : {};
}

/** Returns the fields that are typed otherwise than they are saved. */
export function differing<T extends Fields<T>>(typed: Partial<T>, saved: Partial<T>): Partial<T> {
  const names = Object.keys(typed) as (keyof T)[];
  return Object.fromEntries(
    names
      .filter((name) => typeof typed[name] === 'string' && typed[name] !== saved[name])
      .map((name) => [name, typed[name]]),
  ) as Partial<T>;
}
