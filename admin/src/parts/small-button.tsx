import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A small button without emphasis, for an item or a notice. */
export function SmallButton(props: ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>) {
  return <Button size="xs" variant="default" {...props} />;
}
