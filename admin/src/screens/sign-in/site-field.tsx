import { TextInput } from '@mantine/core';
import type { Ref } from 'react';

interface SiteFieldProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks for the site by its subdomain. */
export function SiteField({ ref, label, description, value, onChange }: SiteFieldProps) {
  return (
    <TextInput
      ref={ref}
      label={label}
      description={description}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
