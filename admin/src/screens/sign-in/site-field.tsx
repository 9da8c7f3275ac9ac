import { TextInput } from '@mantine/core';

interface SiteFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks which of several sites is meant: what its address begins with. */
export function SiteField({ label, description, value, onChange }: SiteFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
