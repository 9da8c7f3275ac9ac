import { Box, type MantineSpacing, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './screen-head.module.css';

interface ScreenHeadProps {
  readonly title: string;
  /** The space below. */
  readonly mb?: MantineSpacing;
  /** The buttons. */
  readonly children: ReactNode;
}

/** The title of a screen and its buttons. On a phone these stand below it in any font: nothing moves when the fonts come. */
export function ScreenHead({ title, mb = 'md', children }: ScreenHeadProps) {
  return (
    <Box className={classes.head} mb={mb}>
      <Title order={1}>{title}</Title>
      {children}
    </Box>
  );
}
