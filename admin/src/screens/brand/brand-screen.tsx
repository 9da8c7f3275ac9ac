import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useIsKnown } from '../../session.ts';
import { BrandForm } from './brand-form.tsx';
import { BrandFrame } from './brand-frame.tsx';
import { BRAND } from './save-brand.ts';
import { words } from './words.ts';

/** Sets the brand that the account's customers see. */
export default function BrandScreen() {
  return (
    <BrandFrame title={words.title} text={words.text}>
      <Brand />
    </BrandFrame>
  );
}

function Brand() {
  const isKnown = useIsKnown();
  const query = useQuery({ queryKey: BRAND, queryFn: api.brand });
  if (query.error) return <ErrorNotice error={query.error} onRetry={query.refetch} />;
  if (!query.data || !isKnown) return <Skeleton h={420} radius="md" opacity={0.4} />;
  return <BrandForm {...query.data} />;
}
