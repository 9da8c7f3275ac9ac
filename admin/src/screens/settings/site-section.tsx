import { Button, type ComboboxItem, Group, type OptionsFilter, Paper, Select, TextInput } from '@mantine/core';
import { type MouseEvent, useMemo } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { fieldErrors } from '../../explain.ts';
import { Form, fieldProps } from '../../parts/form.tsx';
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
        <Select
          label={words.language}
          {...searched}
          nothingFoundMessage={words.noLanguage}
          data={useMemo(() => languages(language), [language])}
          {...select('language')}
        />
        <Select
          label={words.timeZone}
          description={words.timeZoneHelp}
          {...searched}
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

/**
 * For options that people find by typing: a click selects the text, accents do not matter, and Enter chooses the first match.
 */
const searched = {
  onClick: (event: MouseEvent<HTMLInputElement>) => event.currentTarget.select(),
  searchable: true,
  allowDeselect: false,
  selectFirstOptionOnChange: true,
  filter: (({ options, search }) =>
    (options as ComboboxItem[]).filter(({ label }) => plain(label).includes(plain(search)))) satisfies OptionsFilter,
};

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase();
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

function zones(present: string) {
  const all = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(present ? [present] : [])]);
  return [...all].map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
