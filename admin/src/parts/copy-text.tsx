import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { strings } from '../strings.ts';

export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? strings.copied : label}>
          <ActionIcon size="md" aria-label={copied ? strings.copied : label} onClick={copy}>
            {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
