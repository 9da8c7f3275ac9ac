import { useState } from 'react';
import { api } from '../../api.ts';
import type { AccountJson, SessionJson, SettingsInput } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { useIsMounted } from '../../parts/use-is-mounted.ts';
import { queryClient } from '../../queries.ts';
import { runOptimistic } from '../../run-optimistic.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const SESSION = ['session'];

/** Saves settings, and offers to undo it. All of the app has them at once; `onSaved` hears when the service has them. */
export function useSaveSettings(onSaved: (input: SettingsInput) => void) {
  const { account } = useSession();
  const [error, setError] = useState<unknown>();
  const isHere = useIsMounted();
  const save = (fields: SettingsInput) => {
    // No more than that: somebody else may have changed the others since.
    const input: SettingsInput = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => account[name as keyof AccountJson] !== value),
    );
    const before = partOf(account, input);
    setError(undefined);
    runOptimistic({
      about: SESSION,
      show: () => show(input),
      send: () => api.updateSettings(input),
      onDone: (saved) => {
        onSaved(input);
        show(saved);
        showUndo(strings.saved, () =>
          runOptimistic({
            about: SESSION,
            show: () => show(before),
            send: () => api.updateSettings(before),
            onDone: () => showDone(strings.undone),
          }),
        );
      },
      onError: (reason) => {
        if (isHere.current) setError(reason);
        else showError(reason);
      },
    });
  };
  return { save, error };
}

/** Returns how that is taken back. */
function show(settings: Partial<AccountJson>): () => void {
  const account = queryClient.getQueryData<SessionJson>(SESSION)?.account;
  const set = (change: Partial<AccountJson>) =>
    queryClient.setQueryData<SessionJson>(
      SESSION,
      (session) => session && { ...session, account: { ...session.account, ...change } },
    );
  set(settings);
  return () => account && set(partOf(account, settings));
}

/** What the account has of the same fields. */
function partOf(account: AccountJson, fields: Partial<AccountJson>): SettingsInput {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, account[name as keyof AccountJson]]));
}
