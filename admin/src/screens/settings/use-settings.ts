import { useEffect, useRef, useState } from 'react';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import type { AccountJson, SessionJson, SettingsInput } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

const SESSION = ['session'];

/** What is being saved, or was refused. */
interface Attempt {
  readonly input: SettingsInput;
  readonly error?: unknown;
}

/** Saves settings, and offers to undo it. All of the app has them at once; what is refused stays in the form. */
export function useSaveSettings() {
  const { account } = useSession();
  const [isPending, setPending] = useState(false);
  const [attempt, setAttempt] = useState<Attempt>();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const save = (input: SettingsInput) => {
    const before = partOf(account, input);
    setPending(true);
    setAttempt({ input });
    act({
      about: SESSION,
      show: () => show(input),
      send: () => api.updateSettings(input),
      onDone: (saved) => {
        setPending(false);
        setAttempt(undefined);
        show(saved);
        showUndo(strings.saved, () =>
          act({ about: SESSION, show: () => show(before), send: () => api.updateSettings(before) }),
        );
      },
      onError: (error) => {
        setPending(false);
        if (isHere.current) setAttempt({ input, error });
        else showError(error);
      },
    });
  };
  return { save, isPending, attempt };
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
