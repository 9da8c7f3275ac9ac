import { CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { strings } from '../strings.ts';
import { IconButton } from './icon-button.tsx';

export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <IconButton size="md" label={copied ? strings.copied : label} onClick={copy}>
          {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        </IconButton>
      )}
    </CopyButton>
  );
}
