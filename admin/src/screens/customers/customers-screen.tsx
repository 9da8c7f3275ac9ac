import { Anchor, Badge, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { Users } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
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
import { CsvButton } from './csv-button.tsx';
import { CustomerFilters } from './customer-filters.tsx';
import { CustomerLink } from './customer-link.tsx';
import { useCustomerView } from './customer-view.ts';
import classes from './customers.module.css';
import { DeletedCustomers } from './deleted-customers.tsx';
import { words as filterWords } from './filter-words.ts';
import { useCustomers } from './use-customers.ts';
import { usePlans } from './use-plans.ts';

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
      <DeletedCustomers />
    </div>
  );
}

function Customers() {
  const { wanted, ...search } = useSearch('/customers');
  const filters = useCustomerView();
  const { view, count } = filters;
  const { query, customers, last, isLooking } = useCustomers(view, wanted);
  const plans = usePlans(view.plan !== '');
  const list = useRef<HTMLUListElement>(null);
  if (wanted === '' && count === 0 && customers?.length === 0 && !query.isPlaceholderData) {
    return (
      <Empty icon={Users} title={words.empty} text={words.emptyText}>
        <NewCustomerButton />
        <Anchor href="/api/docs" target="_blank">
          {words.reference}
        </Anchor>
      </Empty>
    );
  }
  const status = () => {
    if (isLooking) return filterWords.looking;
    if (wanted !== '') return words.found(customers!.length, last!.hasMore);
    return count === 0 ? words.count(last!.active) : filterWords.shown(customers!.length, last!.hasMore);
  };
  return (
    <>
      <CustomerFilters
        {...filters}
        isSearch={wanted !== ''}
        csv={<CsvButton view={view} wanted={wanted} isCut={wanted !== '' && last?.hasMore === true} />}
      >
        <SearchField label={words.search} {...search} />
      </CustomerFilters>
      <Text size="sm" c="dimmed" mb="sm" mih={22} role="status">
        {last && status()}
      </Text>
      {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {!customers && !query.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {customers?.length === 0 && !isLooking && count === 0 && <Text>{words.noneFound(wanted)}</Text>}
      {customers?.length === 0 && !isLooking && count > 0 && (
        <>
          <Text mb="sm">{filterWords.none(view, plans, wanted)}</Text>
          <Button variant="default" onClick={filters.clear}>
            {filterWords.clear}
          </Button>
        </>
      )}
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
