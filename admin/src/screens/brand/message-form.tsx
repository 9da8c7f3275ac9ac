import { Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MailWordsJson } from '../../contract.ts';
import { ErrorAlert, Form, fieldProps } from '../../parts/form.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { strings } from '../../strings.ts';
import classes from './brand.module.css';
import { PreviewOf } from './preview-of.tsx';
import { useResetWords, useSaveWords } from './save-words.ts';
import { messageWords as words } from './words.ts';

interface MessageFormProps {
  readonly mail: MailWordsJson;
  /** The content above the fields. */
  readonly children: ReactNode;
}

/** The form for the words of a kind of message, with a preview. */
export function MessageForm({ mail, children }: MessageFormProps) {
  const { kind, subject, text, version } = mail;
  const form = useUnsaved(`words ${kind}`, { subject, text });
  const { values, set, isChanged, done } = form;
  const save = useSaveWords(mail, done);
  const reset = useResetWords(mail);
  const field = fieldProps(form, save.error);
  return (
    <div className={classes.columns}>
      <Form error={save.error} onSubmit={() => save.mutate(values)}>
        {children}
        {form.notice}
        <TextInput label={strings.fields.subject} required {...field('subject')} />
        <Textarea
          label={strings.fields.text}
          description={words.textHelp}
          required
          autosize
          minRows={8}
          maxRows={24}
          value={values.text}
          error={field('text').error}
          onChange={({ currentTarget: { value } }) => set({ text: value })}
        />
        <Placeholders {...mail} />
        <ErrorAlert error={reset.error} />
        <Group>
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {words.save}
          </Button>
          {version > 0 && (
            <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate()}>
              {words.reset}
            </Button>
          )}
        </Group>
      </Form>
      <PreviewOf
        call="mail-words/preview"
        title={words.kinds[kind]}
        choices={words.previewAs}
        what={words.previewWhat}
        inputOf={(as, scheme) => ({ ...values, kind, as, scheme })}
      />
    </div>
  );
}

/** Explains the placeholders. */
function Placeholders({ kind, required, optional }: MailWordsJson) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {words.placeholders}
      </Text>
      <Stack gap={4}>
        {[...required, ...optional].map((name) => (
          <Text key={name} size="sm" c="dimmed">
            <Code>{`{${name}}`}</Code> {words.meaning(name, kind)}
            {required.includes(name) && ` ${words.isRequired}`}
          </Text>
        ))}
      </Stack>
    </div>
  );
}
