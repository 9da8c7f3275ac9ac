import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { type MouseEvent, useMemo } from 'react';
import { strings } from '../strings.ts';
import { languages } from './languages.ts';

interface LanguageSelectProps extends SelectProps {
  /** A BCP 47 tag, or an empty text while unknown. */
  readonly value: string;
}

export function LanguageSelect(props: LanguageSelectProps) {
  const { value } = props;
  return (
    <Select
      label={strings.settings.site.language}
      nothingFoundMessage={strings.settings.site.noLanguage}
      data={useMemo(() => options(value), [value])}
      {...searchableSelectProps}
      {...props}
    />
  );
}

/** Props for a Select with many options: a click selects the text, accents are ignored, and Enter chooses the first match. */
export const searchableSelectProps = {
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

/** Returns the languages, named in the app's language, with their codes. Includes the current one even if it is not listed. */
function options(present: string) {
  const names = new Intl.DisplayNames(strings.locale, { type: 'language' });
  return [...new Set([...languages, ...(present ? [present] : [])])].map((value) => ({
    value,
    label: `${names.of(value)} (${value})`,
  }));
}
