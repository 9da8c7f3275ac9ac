import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useIsKnown } from '../../session.ts';
import classes from './brand.module.css';
import { BrandForm } from './brand-form.tsx';
import { BrandSections } from './brand-sections.tsx';
import { BRAND } from './save-brand.ts';
import { words } from './words.ts';

/** Gives the account's customers a brand. */
export default function BrandScreen() {
  useTitle(words.title);
  return (
    <div className={classes.screen}>
      <Title order={1} mb="md">
        {words.title}
      </Title>
      <BrandSections />
      <Text mb="lg" className={classes.text}>
        {words.text}
      </Text>
      <Brand />
    </div>
  );
}

function Brand() {
  const isKnown = useIsKnown();
  const query = useQuery({ queryKey: BRAND, queryFn: api.brand });
  if (query.error) return <ErrorNotice error={query.error} onRetry={query.refetch} />;
  if (!query.data || !isKnown) return <Skeleton h={420} radius="md" opacity={0.4} />;
  return <BrandForm {...query.data} />;
}
