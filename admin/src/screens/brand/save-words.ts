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

/** Saves what was typed, and offers to undo it. `onSaved` is called with the texts that the service has. */
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

/** Goes back to the default words, and offers to undo that. */
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

/** Makes the words what they were before. Refused if somebody else has changed them since. */
async function putBack({ kind, subject, text }: MailWordsJson, { version: seenVersion }: MailWordsJson): Promise<void> {
  try {
    show(await api.changeMailWords({ kind, subject, text, seenVersion }));
    showDone(strings.undone);
  } catch (error) {
    showError(error);
    loadAgain(error);
  }
}

/** The version that is there now is the one to save over. */
function loadAgain(error: unknown): void {
  if (error instanceof ApiError && error.status === 409) void queryClient.invalidateQueries({ queryKey: MAIL_WORDS });
}

function find({ mails }: MailWordsAnswerJson, { kind }: MailWordsJson): MailWordsJson {
  return mails.find((mail) => mail.kind === kind)!;
}

function show(answer: MailWordsAnswerJson): void {
  queryClient.setQueryData(MAIL_WORDS, answer);
}
