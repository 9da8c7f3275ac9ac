import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import type { ComponentProps } from 'react';

interface IconButtonProps extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps | 'ref'> {
  readonly label: string;
}

/** A button with an icon, and a label as its tooltip and for screen readers. */
export function IconButton({ label, ...props }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} {...props} />
    </Tooltip>
  );
}
