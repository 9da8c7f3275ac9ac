import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { linksOf, useBrand, useProductName } from '../../brand.ts';
import { BrandStyle } from '../../parts/brand-style.tsx';
import { Logo } from '../../parts/logo.tsx';
import { useTitle } from '../../parts/use-title.ts';
import classes from './card.module.css';

/** The frame of the screens before signing in. */
export function Card({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  useTitle(title);
  const product = useProductName();
  const brand = useBrand();
  // The HTML of the build has no links, and hydration must render the same.
  const links = linksOf(useMounted() ? brand : null);
  return (
    <main className={classes.page}>
      <BrandStyle />
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm">
          <Logo size={36} />
          <Text fw={650} size="lg" ff="heading" data-brand-name>
            {product}
          </Text>
        </Group>
        <Paper p={{ base: 'lg', xs: 'xl' }} className={classes.card}>
          <Stack gap="lg">
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              {text && (
                <Text c="dimmed" mt={6}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
        {links.length > 0 && (
          <Group component="footer" gap="md" className={classes.links}>
            {links.map(({ label, href }) => (
              <Anchor key={href} href={href} size="sm" target="_blank">
                {label}
              </Anchor>
            ))}
          </Group>
        )}
      </Stack>
    </main>
  );
}
