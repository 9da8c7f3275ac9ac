import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { SessionJson, SettingsInput } from '../../contract.ts';
import { showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';

/** Saves settings, tells the rest of the app, and offers to undo it. */
export function useSaveSettings() {
  const { account } = useSession();
  const save = useMutation({
    mutationFn: (input: SettingsInput) => api.updateSettings(input),
    onSuccess: (saved) => {
      queryClient.setQueryData<SessionJson>(['session'], (session) => session && { ...session, account: saved });
    },
  });
  return {
    ...save,
    saveWithUndo: (input: SettingsInput) => {
      const before = Object.fromEntries(Object.keys(input).map((name) => [name, account[name as keyof SettingsInput]]));
      save.mutate(input, { onSuccess: () => showUndo(strings.saved, () => save.mutate(before)) });
    },
  };
}
