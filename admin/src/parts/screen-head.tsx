import { Box, type MantineSpacing } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './screen-head.module.css';
import { ScreenTitle } from './screen-title.tsx';

interface ScreenHeadProps {
  readonly ref?: Ref<HTMLHeadingElement>;
  readonly title: string;
  /** The space below. */
  readonly mb?: MantineSpacing;
  /** The buttons. */
  readonly children: ReactNode;
}

/**
 * The title of a screen and its buttons. On a phone, the buttons are always below, so that nothing moves when the fonts
 * load.
 */
export function ScreenHead({ ref, title, mb = 'md', children }: ScreenHeadProps) {
  return (
    <Box className={classes.head} mb={mb}>
      <ScreenTitle ref={ref}>{title}</ScreenTitle>
      {children}
    </Box>
  );
}
