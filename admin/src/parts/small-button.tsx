import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A button of an item or a notice: small and without emphasis. */
export function SmallButton(props: ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>) {
  return <Button size="xs" variant="default" {...props} />;
}
