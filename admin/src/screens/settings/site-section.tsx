import {
  Alert,
  Button,
  type ComboboxItem,
  Group,
  type OptionsFilter,
  Paper,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { type FormEvent, type MouseEvent, useMemo } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSaveSettings } from './use-settings.ts';
import { useUnsaved } from './use-unsaved.tsx';

const words = strings.settings.site;

const unknown = { name: '', editor: '', language: '', timeZone: '' };

export function SiteSection() {
  const { account } = useSession();
  const { name, editor, language, timeZone } = useIsKnown() ? account : unknown;
  const { values, set, isChanged, done, notice } = useUnsaved('site', { name, editor, language, timeZone });
  const { save, error } = useSaveSettings(done);
  const errors = fieldErrors(error);
  const wrong = error !== undefined && Object.keys(errors).length === 0 ? error : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ ...values, editor: values.editor as BodyFormat });
  };
  const select = (name: 'editor' | 'language' | 'timeZone') => ({
    value: values[name],
    error: errors[name],
    onChange: (value: string | null) => value !== null && set({ [name]: value }),
  });
  return (
    <Paper p="lg" maw={560}>
      <form onSubmit={submit}>
        <Stack>
          {notice}
          {wrong !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {explain(wrong)}
            </Alert>
          )}
          <TextInput
            label={words.name}
            required
            maxLength={255}
            value={values.name}
            error={errors.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
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
        </Stack>
      </form>
    </Paper>
  );
}

/**
 * As people type it: in the place of what is there, without the signs of another language, and what is meant is chosen by
 * Enter.
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
