import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogForm } from '../../../parts/dialog.tsx';
import { strings } from '../../../strings.ts';

const words = strings.editor.htmlBlock;

interface HtmlFormProps {
  readonly html: string;
  readonly onClose: () => void;
  readonly onSave: (html: string) => void;
}

/** Edits the source of an HTML block. */
export function HtmlBlockDialog({ html, ...form }: Omit<HtmlFormProps, 'html'> & { html: string | undefined }) {
  return (
    <Dialog opened={html !== undefined} onClose={form.onClose} title={words.title} size="xl" centered>
      {html !== undefined && <HtmlForm html={html} {...form} />}
    </Dialog>
  );
}

function HtmlForm({ html, onClose, onSave }: HtmlFormProps) {
  const [text, setText] = useState(html);
  return (
    <DialogForm submit={words.save} onSubmit={() => onSave(text)} onClose={onClose}>
      <Textarea
        label={words.source}
        description={words.help}
        data-autofocus
        autosize
        minRows={8}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--app-code)' } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
