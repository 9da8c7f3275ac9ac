import { useWindowEvent } from '@mantine/hooks';
import { useEffect } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import type { DraftStore } from './draft-store.ts';
import { isAnyDraftAtRisk } from './draft-stores.ts';

/** Saves the draft when the tab is left or hidden, the connection is back, or Ctrl + S is pressed; asks before unsaved text is lost. */
export function useKeptSafe(store: DraftStore): void {
  const save = () => void store.save();
  useWindowEvent('pagehide', () => store.saveOnLeave());
  // Another editor may open next. It must begin with everything that was typed.
  useWindowEvent('focusout', () => void store.now());
  useWindowEvent('online', save);
  useWindowEvent('focus', save);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isCommand(event, 's')) return;
      event.preventDefault();
      void store.save();
    };
    document.addEventListener('keydown', onKey);
    // The tab that one goes to is to show what is written here.
    const onHidden = () => document.hidden && save();
    document.addEventListener('visibilitychange', onHidden);
    // A rescued text goes to the service at once.
    void store.save();
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('visibilitychange', onHidden);
      void store.save();
    };
  }, [store]);
  // Never removed: the stores go on without their editors.
  useEffect(() => window.addEventListener('beforeunload', askBeforeLoss), []);
}

function askBeforeLoss(event: BeforeUnloadEvent): void {
  if (isAnyDraftAtRisk()) event.preventDefault();
}
