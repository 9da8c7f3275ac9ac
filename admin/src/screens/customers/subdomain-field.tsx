import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { explainField } from '../../explain.ts';
import { newWords as words } from './new-customer-words.ts';

/** How long typing must pause before the service is asked. */
const DEBOUNCE_MS = 250;

interface SubdomainFieldProps {
  readonly value: string;
  /** The service's error about the subdomain that was sent. */
  readonly refusal: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Asks for the subdomain of a new customer, and shows while typing whether it is free. */
export function SubdomainField({ value, refusal, onChange }: SubdomainFieldProps) {
  const [settled] = useDebouncedValue(value.trim(), DEBOUNCE_MS);
  const [refused, setRefused] = useState<string>();
  useEffect(() => setRefused(refusal === undefined ? undefined : value), [refusal]);
  const { data } = useQuery({
    queryKey: ['subdomain', settled],
    queryFn: ({ signal }) => api.checkSubdomain(settled, signal),
    enabled: settled !== '',
  });
  // A response about an earlier text does not apply to the current one.
  const known = settled === value.trim() ? data : undefined;
  const problem = known?.problem ? explainField(known.problem) : undefined;
  return (
    <div>
      <TextInput
        label={words.subdomain}
        description={words.subdomainHelp}
        required
        maxLength={63}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={problem ?? (refused === value ? refusal : undefined)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" mt={4} mih={22} role="status">
        {known?.address && words.free(known.address.replace(/^https?:\/\//, ''))}
      </Text>
    </div>
  );
}
