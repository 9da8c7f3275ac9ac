import { Anchor, Badge, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { CustomerJson } from '../../contract.ts';
import { Empty } from '../../parts/empty.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import lists from '../../parts/list.module.css';
import { MoreButton } from '../../parts/more-button.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useIsKnown, useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatCalendarDate } from '../../times.ts';
import { useSearch } from '../../use-search.ts';
import { CustomerLink } from './customer-link.tsx';
import classes from './customers.module.css';

const words = strings.customers;

/** Lists the accounts that were created under this one. */
export default function CustomersScreen() {
  const isKnown = useIsKnown();
  const maySee = useMay('view_customers');
  useTitle(words.title);
  if (isKnown && !maySee) return <NotFound {...strings.settings.notForRole} />;
  return (
    <div className={classes.screen}>
      <Group justify="space-between" mb="md">
        <Title order={1}>{words.title}</Title>
        <NewCustomerButton />
      </Group>
      <Customers />
    </div>
  );
}

function Customers() {
  const { wanted, ...search } = useSearch('/customers');
  const list = useRef<HTMLUListElement>(null);
  const query = useInfiniteQuery({
    queryKey: ['customers', wanted],
    queryFn: ({ pageParam, signal }) => api.customers({ q: wanted, before: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    // A search answers once: more letters leave fewer customers.
    getNextPageParam: ({ customers, hasMore }) => (hasMore && wanted === '' ? customers.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });
  const customers = query.data?.pages.flatMap((page) => page.customers);
  const last = query.data?.pages.at(-1);
  if (wanted === '' && customers?.length === 0 && !query.isPlaceholderData) {
    return (
      <Empty icon={Users} title={words.empty} text={words.emptyText}>
        <NewCustomerButton />
        <Anchor href="/api/docs" target="_blank">
          {words.reference}
        </Anchor>
      </Empty>
    );
  }
  return (
    <>
      <Group mb="sm">
        <SearchField label={words.search} {...search} />
      </Group>
      <Text size="sm" c="dimmed" mb="sm" mih={22} role="status">
        {last && (wanted === '' ? words.count(last.active) : words.found(customers!.length, last.hasMore))}
      </Text>
      {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {!customers && !query.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {customers?.length === 0 && <Text>{words.noneFound(wanted)}</Text>}
      {customers && customers.length > 0 && (
        <Paper className={query.isPlaceholderData ? classes.earlier : undefined}>
          <ul ref={list} className={lists.list} aria-label={words.title}>
            {customers.map((customer) => (
              <CustomerItem key={customer.id} {...customer} />
            ))}
          </ul>
        </Paper>
      )}
      <MoreButton label={words.more} list={list} count={customers?.length ?? 0} query={query} />
    </>
  );
}

function NewCustomerButton() {
  const mayManage = useMay('manage_customers');
  if (!mayManage) return null;
  return (
    <Button component={Link} href="/customers/new">
      {words.add}
    </Button>
  );
}

function CustomerItem({ id, name, address, status, createdAt, plan }: CustomerJson) {
  return (
    <li className={classes.item} tabIndex={-1}>
      <div className={classes.name}>
        <Group gap="xs">
          <CustomerLink id={id} name={name} />
          {status === 'suspended' && <Badge variant="default">{words.suspended}</Badge>}
        </Group>
        <Anchor href={address} target="_blank" size="sm">
          {address.replace(/^https?:\/\//, '')}
        </Anchor>
      </div>
      <Text size="sm">{words.plan(plan)}</Text>
      <Text size="sm" c="dimmed">
        {words.since(formatCalendarDate(createdAt))}
      </Text>
    </li>
  );
}
