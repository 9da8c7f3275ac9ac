import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import type { MailWordsAnswerJson, MailWordsJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { messageWords as words } from './words.ts';

export const MAIL_WORDS = ['mail-words'];

type Texts = Pick<MailWordsJson, 'subject' | 'text'>;

/** Saves the words, and offers to undo it. `onSaved` is called with the saved texts. */
export function useSaveWords(before: MailWordsJson, onSaved: (texts: Texts) => void) {
  const { kind, version: seenVersion } = before;
  return useMutation({
    mutationFn: (texts: Texts) => api.changeMailWords({ ...texts, kind, seenVersion }),
    onSuccess: (answer, texts) => {
      onSaved(texts);
      show(answer);
      const now = find(answer, before);
      if (now.version !== seenVersion) showUndo(words.saved(words.kinds[kind]), () => void putBack(before, now));
    },
    onError: loadAgain,
  });
}

/** Restores the default words, and offers to undo that. */
export function useResetWords(before: MailWordsJson) {
  const { kind, version: seenVersion } = before;
  return useMutation({
    mutationFn: () => api.resetMailWords({ kind, seenVersion }),
    onSuccess: (answer) => {
      show(answer);
      showUndo(words.wasReset(words.kinds[kind]), () => void putBack(before, find(answer, before)));
    },
    onError: loadAgain,
  });
}

/** Restores the earlier words. Refused if another user has changed the words since. */
async function putBack({ kind, subject, text }: MailWordsJson, { version: seenVersion }: MailWordsJson): Promise<void> {
  try {
    show(await api.changeMailWords({ kind, subject, text, seenVersion }));
    showDone(strings.undone);
  } catch (error) {
    showError(error);
    loadAgain(error);
  }
}

/** Loads the current version after a conflict, so that saving again replaces it. */
function loadAgain(error: unknown): void {
  if (error instanceof ApiError && error.status === 409) void queryClient.invalidateQueries({ queryKey: MAIL_WORDS });
}

function find({ mails }: MailWordsAnswerJson, { kind }: MailWordsJson): MailWordsJson {
  return mails.find((mail) => mail.kind === kind)!;
}

function show(answer: MailWordsAnswerJson): void {
  queryClient.setQueryData(MAIL_WORDS, answer);
}
