import { readItem, removeItem, storeItem } from '../browser-storage.ts';

export type Fields<T> = { readonly [name in keyof T]: string };

/**
 * Returns the unsaved values after another change. A value that equals the saved one is dropped. All others stay, even while
 * they are being saved, because the service may refuse them.
 */
export function withTyped<T extends Fields<T>>(typed: Partial<T>, change: Partial<T>, saved: Partial<T>): Partial<T> {
  const others = Object.entries(typed).filter(([name]) => !(name in change));
  return { ...(Object.fromEntries(others) as Partial<T>), ...differing(change, saved) };
}

/** Stores unsaved values in this browser, or removes the entry if there are none. */
export function storeUnsaved(key: string, fields: object): void {
  if (Object.keys(fields).length > 0) storeItem(key, fields);
  else removeItem(key);
}

/** Returns the values stored in this browser that differ from the saved ones. */
export function readUnsaved<T extends Fields<T>>(key: string, saved: Partial<T>): Partial<T> {
  const stored = readItem(key);
  return typeof stored === 'object' && stored !== null ? differing(stored as Partial<T>, saved) : {};
}

/** Returns the typed fields that differ from the saved ones. */
export function differing<T extends Fields<T>>(typed: Partial<T>, saved: Partial<T>): Partial<T> {
  const names = Object.keys(typed) as (keyof T)[];
  return Object.fromEntries(
    names
      .filter((name) => typeof typed[name] === 'string' && typed[name] !== saved[name])
      .map((name) => [name, typed[name]]),
  ) as Partial<T>;
}
