import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { isTemporary } from '../../../api-error.ts';
import { updateCachedPage } from '../../../data/tree-data.ts';
import type { DraftState } from './draft-state.ts';
import type { DraftStore } from './draft-store.ts';
import { OtherTabs } from './other-tabs.ts';

/**
 * Keeps the page in sync with the user's other tabs: each shows what another tab has saved or published. Returns true if
 * there are any.
 */
export function useOtherTabs(store: DraftStore, state: DraftState, userId: number): boolean {
  const { id } = state.published;
  const [isAnyOpen, setAnyOpen] = useState(false);
  const tabs = useRef<OtherTabs>(undefined);
  const now = `${state.published.version} ${state.draftAt}`;
  /** The state that this tab last sent to the others, or received from one. */
  const known = useRef(now);
  const latest = useRef(now);
  latest.current = now;
  useEffect(() => {
    let isBehind = false;
    const catchUp = () => {
      isBehind = false;
      store
        .catchUp(() => api.page(id))
        .then(updateCachedPage, (error: unknown) => {
          isBehind = isTemporary(error);
        });
    };
    const catchUpIfBehind = () => {
      if (isBehind && !document.hidden) catchUp();
    };
    const others = new OtherTabs(`${userId}:${id}`, {
      state: () => latest.current,
      // The new tab must start with the text from here.
      onHello: () => void store.save(),
      onChanged: (told) => {
        if (told === known.current) return;
        known.current = told;
        // If this tab has unsaved changes, catchUp keeps them and offers the other text.
        catchUp();
      },
    });
    tabs.current = others;
    const unsubscribe = others.isAnyOpen.subscribe(() => setAnyOpen(others.isAnyOpen.get()));
    const close = () => others.close();
    window.addEventListener('pagehide', close);
    // Loads the page if that failed when another tab announced its change.
    window.addEventListener('online', catchUpIfBehind);
    document.addEventListener('visibilitychange', catchUpIfBehind);
    return () => {
      window.removeEventListener('pagehide', close);
      window.removeEventListener('online', catchUpIfBehind);
      document.removeEventListener('visibilitychange', catchUpIfBehind);
      unsubscribe();
      others.close();
    };
  }, [store, userId, id]);
  useEffect(() => {
    if (known.current === now) return;
    known.current = now;
    tabs.current?.tellChanged();
  }, [now]);
  return isAnyOpen;
}
