import { Title, type TitleProps } from '@mantine/core';
import type { Ref } from 'react';
import { useTitle } from './use-title.ts';

interface ScreenTitleProps extends Omit<TitleProps, 'order'> {
  readonly ref?: Ref<HTMLHeadingElement> | undefined;
  readonly children: string;
}

/** The heading of a screen, which is also the document's title. */
export function ScreenTitle({ children, ...props }: ScreenTitleProps) {
  useTitle(children);
  return (
    <Title order={1} {...props}>
      {children}
    </Title>
  );
}
