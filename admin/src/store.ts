import { useSyncExternalStore } from 'react';

/** State outside of React, which outlives the components that show it. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  /** Sets the state without notifying listeners, for use while a component renders. */
  readonly replace: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let state = initial;
  const listeners = new Set<() => void>();
  const replace = (next: T) => {
    state = next;
  };
  return {
    get: () => state,
    set: (next) => {
      replace(next);
      for (const listener of listeners) listener();
    },
    replace,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the state, and renders again when it changes. */
export function useStore<T>({ subscribe, get }: Store<T>): T {
  return useSyncExternalStore(subscribe, get, get);
}
