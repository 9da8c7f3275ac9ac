import { Button, Group, Paper, Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { fieldErrors } from '../../explain.ts';
import { Form, fieldProps } from '../../parts/form.tsx';
import { LanguageSelect, searchableSelectProps } from '../../parts/language-select.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSaveSettings } from './use-settings.ts';

const words = strings.settings.site;

const unknown = { name: '', editor: '', language: '', timeZone: '' };

export function SiteSection() {
  const { account } = useSession();
  const { name, editor, language, timeZone } = useIsKnown() ? account : unknown;
  const form = useUnsaved('site', { name, editor, language, timeZone });
  const { values, set, isChanged, done, notice } = form;
  const { save, error } = useSaveSettings(done);
  const select = (name: 'editor' | 'language' | 'timeZone') => ({
    value: values[name],
    error: fieldErrors(error)[name],
    onChange: (value: string | null) => value !== null && set({ [name]: value }),
  });
  return (
    <Paper p="lg" maw={560}>
      <Form onSubmit={() => save({ ...values, editor: values.editor as BodyFormat })} error={error}>
        {notice}
        <TextInput label={words.name} required maxLength={255} {...fieldProps(form, error)('name')} />
        <Select
          label={words.editor}
          allowDeselect={false}
          data={[
            { value: 'wysiwyg_format', label: words.editorVisual },
            { value: 'markdown_format', label: words.editorMarkdown },
          ]}
          {...select('editor')}
        />
        <LanguageSelect {...select('language')} />
        <Select
          label={words.timeZone}
          description={words.timeZoneHelp}
          {...searchableSelectProps}
          nothingFoundMessage={words.noTimeZone}
          data={useMemo(() => zones(timeZone), [timeZone])}
          {...select('timeZone')}
        />
        <Group>
          <Button type="submit" disabled={!isChanged}>
            {strings.save}
          </Button>
        </Group>
      </Form>
    </Paper>
  );
}

function zones(present: string) {
  const all = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(present ? [present] : [])]);
  return [...all].map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
