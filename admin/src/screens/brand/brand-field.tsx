import { TextInput, type TextInputProps } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import { words } from './words.ts';

interface BrandFieldProps extends TextInputProps {
  readonly label: string;
  readonly value: string;
  readonly onReset: () => void;
}

/** A field that can go back to its default, which it shows while it is empty. */
export function BrandField({ onReset, ...props }: BrandFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const reset = () => {
    onReset();
    // The button disappears, and would take the focus with it.
    input.current?.focus();
  };
  const button = (
    <IconButton label={words.toDefault(props.label)} size="md" onClick={reset}>
      <RotateCcw size={16} aria-hidden />
    </IconButton>
  );
  return <TextInput ref={input} rightSection={props.value === '' ? undefined : button} {...props} />;
}
