import { Anchor, Badge, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { DomainJson } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useIsKnown } from '../../session.ts';
import classes from './brand.module.css';
import { BrandFrame } from './brand-frame.tsx';
import { DOMAINS, putAppAt } from './put-app-at.ts';
import { addressWords as words } from './words.ts';

/** Chooses the account's own domain at which its customers use the app. */
export default function AddressScreen() {
  return (
    <BrandFrame title={words.title} text={words.text}>
      <Addresses />
    </BrandFrame>
  );
}

function Addresses() {
  const isKnown = useIsKnown();
  const query = useQuery({ queryKey: DOMAINS, queryFn: api.domains });
  if (query.error) return <ErrorNotice error={query.error} onRetry={query.refetch} />;
  if (!query.data || !isKnown) return <Skeleton h={200} radius="md" opacity={0.4} />;
  const { domains } = query.data;
  const chosen = domains.find(({ isApp }) => isApp);
  const choose = (value: string) =>
    putAppAt(
      chosen,
      domains.find(({ id }) => String(id) === value),
    );
  return (
    <Stack gap="lg" className={classes.text}>
      <Radio.Group label={words.choose} value={chosen ? String(chosen.id) : ''} onChange={choose}>
        <Stack gap="sm" mt="sm">
          <Radio value="" label={words.standard} />
          {domains.map((domain) => (
            <Radio key={domain.id} value={String(domain.id)} label={<Address {...domain} />} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm">
        {domains.length === 0 ? words.noDomains : words.others}{' '}
        <Anchor component={Link} href="/settings/domains">
          {words.toDomains}
        </Anchor>
      </Text>
      <Text size="sm" c="dimmed">
        {words.passkeys}
      </Text>
    </Stack>
  );
}

function Address({ shownHost, verifiedAt, isApp }: DomainJson) {
  return (
    <>
      {shownHost}{' '}
      {verifiedAt === null && (
        <Badge variant="default" size="sm">
          {isApp ? words.appOnceVerified : words.notVerified}
        </Badge>
      )}
    </>
  );
}
