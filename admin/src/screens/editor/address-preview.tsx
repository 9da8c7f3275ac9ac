import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { PageFieldsJson, PageJson } from '../../contract.ts';
import { explain, fieldErrors } from '../../explain.ts';
import { strings } from '../../strings.ts';

const words = strings.editor.settings;

/**
 * Returns the URL that the typed urlname would give by the service's own rules, and how many addresses publishing would
 * change. While the service has not answered, or if it refuses, the URL is the published one.
 */
export function useAddressPreview(page: PageJson, { name, urlname }: PageFieldsJson) {
  const [settled] = useDebouncedValue(urlname, 400);
  // The service derives the urlname from the name if the urlname is blank.
  const wanted = settled.trim() === '' ? { urlname: '', name } : { urlname: settled };
  const isChanged = urlname !== page.urlname;
  const preview = useQuery({
    queryKey: ['address', page.id, page.version, wanted],
    queryFn: () => api.previewUpdate(page.id, wanted),
    enabled: settled !== page.urlname,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!isChanged) return { urlname, error: null };
  const { data, error } = preview;
  return { urlname: data?.urlname ?? page.urlname, changes: data?.changedAddresses, error };
}

/** Says how many addresses the typed urlname would change, or why the service refuses it. */
export function AddressNote({ error, changes }: { error?: unknown; changes?: number }) {
  if (!error && changes === undefined) return null;
  const isTaken = error && fieldErrors(error).urlname !== undefined;
  return (
    <Text size="xs" mt={6} c={error ? 'var(--mantine-color-error)' : 'dimmed'} role="status">
      {isTaken ? words.addressTaken : error ? explain(error) : words.addressNote(changes!)}
    </Text>
  );
}
