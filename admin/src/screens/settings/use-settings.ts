import { useState } from 'react';
import { api } from '../../api.ts';
import type { AccountJson, SessionJson, SettingsInput } from '../../contract.ts';
import { valuesOf } from '../../data/changes.ts';
import { showError } from '../../explain.ts';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { queryClient } from '../../queries.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const SESSION = ['session'];

/** Saves settings, shows them everywhere at once, and offers to undo it. Calls `onSaved` once the service has stored them. */
export function useSaveSettings(onSaved: (input: SettingsInput) => void) {
  const { account } = useSession();
  const [error, setError] = useState<unknown>();
  const isHere = useIsMounted();
  const save = (fields: SettingsInput) => {
    // Only changed settings are sent: another user may have changed the others since.
    const input: SettingsInput = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => account[name as keyof AccountJson] !== value),
    );
    const before: SettingsInput = valuesOf<SettingsInput>(account, input);
    setError(undefined);
    runOptimisticWithUndo({
      about: SESSION,
      show: () => show(input),
      send: () => api.updateSettings(input),
      onDone: (saved) => {
        onSaved(input);
        show(saved);
      },
      onError: (reason) => {
        if (isHere.current) setError(reason);
        else showError(reason);
      },
      done: () => strings.saved,
      showBack: () => show(before),
      sendBack: () => api.updateSettings(before),
    });
  };
  return { save, error };
}

/** Shows these settings everywhere. Returns a function that restores the former ones. */
function show(settings: Partial<AccountJson>): () => void {
  const account = queryClient.getQueryData<SessionJson>(SESSION)?.account;
  const set = (change: Partial<AccountJson>) =>
    queryClient.setQueryData<SessionJson>(
      SESSION,
      (session) => session && { ...session, account: { ...session.account, ...change } },
    );
  set(settings);
  return () => account && set(valuesOf(account, settings));
}
