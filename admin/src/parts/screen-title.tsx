import { Title, type TitleProps } from '@mantine/core';
import { useTitle } from './use-title.ts';

/** The heading of a screen, which is the title of the document, too. */
export function ScreenTitle({ children, ...props }: Omit<TitleProps, 'order'> & { children: string }) {
  useTitle(children);
  return (
    <Title order={1} {...props}>
      {children}
    </Title>
  );
}
