import { Alert, Button, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLayoutEffect, useMemo } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSaveSettings } from './use-settings.ts';

const words = strings.settings.site;

const unknown = { name: '', editor: '', language: '', timeZone: '' };

export function SiteSection() {
  const { account } = useSession();
  const { name, editor, language, timeZone } = useIsKnown() ? account : unknown;
  const form = useForm({ initialValues: { name, editor: editor as string, language, timeZone } });
  const { save, isPending, attempt } = useSaveSettings();
  const { setErrors, resetDirty, setValues } = form;
  // Also when it was undone. What was refused stays, for another try. Nobody is to see the form without it.
  useLayoutEffect(() => {
    const saved = { name, editor, language, timeZone };
    setValues({ ...saved, ...attempt?.input });
    resetDirty(saved);
    setErrors(fieldErrors(attempt?.error));
  }, [name, editor, language, timeZone, attempt?.error, setValues, resetDirty, setErrors]);
  const error = attempt?.error;
  const wrong = error !== undefined && Object.keys(fieldErrors(error)).length === 0 ? error : undefined;
  return (
    <Paper p="lg" maw={560}>
      <form onSubmit={form.onSubmit((values) => save({ ...values, editor: values.editor as BodyFormat }))}>
        <Stack>
          {wrong !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {explain(wrong)}
            </Alert>
          )}
          <TextInput label={words.name} required maxLength={255} {...form.getInputProps('name')} />
          <Select
            label={words.editor}
            allowDeselect={false}
            data={[
              { value: 'wysiwyg_format', label: words.editorVisual },
              { value: 'markdown_format', label: words.editorMarkdown },
            ]}
            {...form.getInputProps('editor')}
          />
          <Select
            label={words.language}
            searchable
            allowDeselect={false}
            data={useMemo(() => languages(language), [language])}
            {...form.getInputProps('language')}
          />
          <Select
            label={words.timeZone}
            description={words.timeZoneHelp}
            searchable
            allowDeselect={false}
            limit={80}
            data={useMemo(() => zones(timeZone), [timeZone])}
            {...form.getInputProps('timeZone')}
          />
          <Group>
            <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
              {strings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

const codes =
  'ar bg ca cs da de de-AT de-CH el en en-GB en-US es et fa fi fr he hr hu is it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv tr uk vi zh-CN zh-TW';

/** Each in this app's language and by its code; the present one is among them, whatever it is. */
function languages(present: string) {
  const names = new Intl.DisplayNames(strings.locale, { type: 'language' });
  return [...new Set([...codes.split(' '), ...(present ? [present] : [])])].map((value) => ({
    value,
    label: `${names.of(value)} (${value})`,
  }));
}

function zones(present: string): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(present ? [present] : [])])];
}
