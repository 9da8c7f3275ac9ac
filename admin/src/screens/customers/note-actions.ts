import { api } from '../../api.ts';
import type { NoteJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { showDone, showUndo } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { strings } from '../../strings.ts';
import { words } from './customer-words.ts';

export function refreshNotes(customerId: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['customer notes', customerId] });
}

/** Deletes the note, and offers to undo that. */
export async function deleteNote(customerId: number, { id }: NoteJson): Promise<void> {
  await send(
    customerId,
    () => api.deleteNote(id),
    words.notes.deleted,
    () => api.restoreNote(id),
  );
}

/** Offers to undo a change of a note. `text` and `version` are those from before the change. */
export function offerFormerText(customerId: number, { id, text, version }: NoteJson): void {
  showUndo(words.notes.changed, () => {
    void send(customerId, () => api.changeNote(id, { text, seenVersion: version + 1 }));
  });
}

async function send(
  customerId: number,
  change: () => Promise<void>,
  done = strings.undone,
  undo?: () => Promise<void>,
): Promise<void> {
  try {
    await change();
    if (undo) showUndo(done, () => void send(customerId, undo));
    else showDone(done);
  } catch (error) {
    showError(error);
  }
  await refreshNotes(customerId);
}
