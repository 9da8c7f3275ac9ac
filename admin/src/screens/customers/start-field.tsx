import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { newWords as words } from './new-customer-words.ts';
import { useTemplates } from './use-templates.ts';

interface StartFieldProps {
  /** `template 3`, `site 12`, or empty for the default pages. */
  readonly value: string;
  /** The id of the customer whose website can be copied; 0 for none. */
  readonly copied: number;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Asks what the website of a new customer starts with. Renders nothing if there are no templates and no website to copy. */
export function StartField({ value, copied, error, onChange }: StartFieldProps) {
  const templates = useTemplates(true)?.filter(({ retiredAt, isGone }) => retiredAt === null && !isGone) ?? [];
  const original = useQuery({
    queryKey: ['customer', copied],
    queryFn: ({ signal }) => api.customer(copied, signal),
    enabled: copied > 0,
  });
  if (templates.length === 0 && !copied && !error) return null;
  const chosen = templates.find(({ id }) => value === `template ${id}`);
  return (
    <NativeSelect
      label={words.start}
      description={value === '' ? undefined : [chosen?.description, words.startNote].filter(Boolean).join(' ')}
      data={[
        { value: '', label: words.defaultPages },
        ...templates.map(({ id, name }) => ({ value: `template ${id}`, label: words.template(name) })),
        ...(copied ? [{ value: `site ${copied}`, label: words.copyOf(original.data?.name) }] : []),
      ]}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Returns the value of the field as fields of the request. */
export function startOf(value: string): { templateId?: number; siteId?: number } {
  const [kind, id] = value.split(' ');
  if (kind === 'template') return { templateId: Number(id) };
  return kind === 'site' ? { siteId: Number(id) } : {};
}
