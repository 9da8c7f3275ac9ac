import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { type MouseEvent, useMemo } from 'react';
import { strings } from '../strings.ts';
import { languages } from './languages.ts';

interface LanguageSelectProps extends SelectProps {
  /** A BCP 47 tag; empty until it is known. */
  readonly value: string;
}

/** Chooses the language of a website. */
export function LanguageSelect(props: LanguageSelectProps) {
  const { value } = props;
  return (
    <Select
      label={strings.settings.site.language}
      nothingFoundMessage={strings.settings.site.noLanguage}
      data={useMemo(() => options(value), [value])}
      {...searched}
      {...props}
    />
  );
}

/**
 * For options that people find by typing: a click selects the text, accents do not matter, and Enter chooses the first match.
 */
export const searched = {
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

/** Each in this app's language and by its code; the present one is among them, whatever it is. */
function options(present: string) {
  const names = new Intl.DisplayNames(strings.locale, { type: 'language' });
  return [...new Set([...languages, ...(present ? [present] : [])])].map((value) => ({
    value,
    label: `${names.of(value)} (${value})`,
  }));
}
