import { useWindowEvent } from '@mantine/hooks';
import { useEffect } from 'react';
import { isCommand } from '../../../parts/is-command.ts';
import type { DraftStore } from './draft-store.ts';
import { isAnyDraftAtRisk } from './draft-stores.ts';

/** Saves the draft when the tab is left or hidden, the connection returns, or Ctrl or ⌘ + S is pressed. Warns before a loss. */
export function useDraftSaving(store: DraftStore): void {
  const save = () => void store.save();
  useWindowEvent('pagehide', () => store.saveOnLeave());
  // The next editor to open must start with everything that was typed.
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
    // The tab that the user switches to must show what was written here.
    const onHidden = () => document.hidden && save();
    document.addEventListener('visibilitychange', onHidden);
    // Sends a text that was rescued from the browser's storage.
    void store.save();
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('visibilitychange', onHidden);
      void store.save();
    };
  }, [store]);
  // Never removed: the stores outlive their editors.
  useEffect(() => window.addEventListener('beforeunload', askBeforeLoss), []);
}

function askBeforeLoss(event: BeforeUnloadEvent): void {
  if (isAnyDraftAtRisk()) event.preventDefault();
}
