import { ActionIcon, TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { strings } from '../strings.ts';
import type { useSearch } from '../use-search.ts';

type SearchFieldProps = { readonly label: string } & Pick<
  ReturnType<typeof useSearch>,
  'field' | 'search' | 'setSearch'
>;

/** The search field above a list. Escape and its button clear it. */
export function SearchField({ label, field, search, setSearch }: SearchFieldProps) {
  const clear = () => {
    setSearch('');
    field.current?.focus();
  };
  return (
    <TextInput
      flex={1}
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden />}
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && setSearch('')}
      rightSection={
        search !== '' && (
          <ActionIcon size="sm" aria-label={strings.clearSearch} onClick={clear}>
            <X size={16} aria-hidden />
          </ActionIcon>
        )
      }
    />
  );
}
