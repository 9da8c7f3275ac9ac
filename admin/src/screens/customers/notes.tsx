import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { useMay } from '../../session.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';
import { refreshNotes } from './note-actions.ts';
import { NoteForm } from './note-form.tsx';
import { NoteItem } from './note-item.tsx';

/** Shows the agency's notes about a customer. */
export function Notes({ customerId }: { customerId: number }) {
  const mayManage = useMay('manage_customers');
  const { data, error, refetch } = useQuery({
    queryKey: ['customer notes', customerId],
    queryFn: ({ signal }) => api.customerNotes(customerId, signal),
  });
  return (
    <Section title={words.notes.title} text={words.notes.text}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      <Stack gap="md">
        {mayManage && <NewNote customerId={customerId} />}
        {data?.notes.length === 0 && !mayManage && <Text size="sm">{words.notes.none}</Text>}
        {data && data.notes.length > 0 && (
          <ul className={classes.list}>
            {data.notes.map((note) => (
              <NoteItem key={note.id} customerId={customerId} note={note} mayManage={mayManage} />
            ))}
          </ul>
        )}
      </Stack>
    </Section>
  );
}

function NewNote({ customerId }: { customerId: number }) {
  const form = useUnsaved(`new note on customer ${customerId}`, { text: '' });
  const add = useMutation({
    mutationFn: (text: string) => api.addNote(customerId, { text }),
    onSuccess: (_, text) => form.done({ text }),
    onSettled: () => refreshNotes(customerId),
  });
  const submit = () => {
    if (!add.isPending) add.mutate(form.values.text);
  };
  return (
    <NoteForm
      label={words.notes.new}
      submit={words.notes.add}
      text={form.values.text}
      error={add.error}
      onChange={(text) => form.set({ text })}
      onSubmit={submit}
    />
  );
}
