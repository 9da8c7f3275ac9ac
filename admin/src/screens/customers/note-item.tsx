import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { NoteJson } from '../../contract.ts';
import { SmallButton } from '../../parts/small-button.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { formatTime } from '../../times.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';
import { deleteNote, offerFormerText, refreshNotes } from './note-actions.ts';
import { NoteForm } from './note-form.tsx';

interface NoteItemProps {
  readonly customerId: number;
  readonly note: NoteJson;
  readonly mayManage: boolean;
}

/** Shows a note with its author and time, or the form that changes it. */
export function NoteItem({ customerId, note, mayManage }: NoteItemProps) {
  const [isEditing, setEditing] = useState(false);
  const { text, author, createdAt, editor, changedAt } = note;
  if (isEditing) {
    return (
      <li className={classes.note}>
        <EditNote customerId={customerId} note={note} onClose={() => setEditing(false)} />
      </li>
    );
  }
  return (
    <li className={classes.note}>
      <Text className={classes.noteText} size="sm" dir="auto">
        {text}
      </Text>
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="sm" c="dimmed">
          {words.notes.by(author, formatTime(createdAt))}
          {changedAt !== null && editor !== null && words.notes.changedBy(editor, formatTime(changedAt))}
        </Text>
        {mayManage && (
          <Group gap="xs">
            <SmallButton onClick={() => setEditing(true)}>{words.notes.edit}</SmallButton>
            <SmallButton onClick={() => deleteNote(customerId, note)}>{words.notes.delete}</SmallButton>
          </Group>
        )}
      </Group>
    </li>
  );
}

function EditNote({ customerId, note, onClose }: { customerId: number; note: NoteJson; onClose: () => void }) {
  const form = useUnsaved(`note ${note.id}`, { text: note.text });
  // After a conflict, the note shows the other user's text, and saving again replaces that.
  const save = useMutation({
    mutationFn: (text: string) => api.changeNote(note.id, { text, seenVersion: note.version }),
    onSuccess: (_, text) => {
      form.done({ text });
      onClose();
      offerFormerText(customerId, note);
    },
    onSettled: () => refreshNotes(customerId),
  });
  const submit = () => {
    if (!save.isPending) save.mutate(form.values.text);
  };
  const cancel = () => {
    form.done(form.values);
    onClose();
  };
  return (
    <NoteForm
      label={words.notes.label}
      submit={words.notes.save}
      text={form.values.text}
      error={save.error}
      hasFocus
      onChange={(text) => form.set({ text })}
      onSubmit={submit}
      onClose={cancel}
    >
      {form.notice}
    </NoteForm>
  );
}
