import { Anchor, Button, Group, Text } from '@mantine/core';
import { Users } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../parts/empty.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useIsKnown, useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSearch } from '../../use-search.ts';
import { CsvButton } from './csv-button.tsx';
import { CustomerFilters } from './customer-filters.tsx';
import { CustomerList } from './customer-list.tsx';
import { useCustomerView } from './customer-view.ts';
import classes from './customers.module.css';
import { DeletedCustomers } from './deleted-customers.tsx';
import { words as filterWords } from './filter-words.ts';
import { useCustomers } from './use-customers.ts';
import { usePlans } from './use-plans.ts';

const words = strings.customers;

/** Lists the accounts that were created under this one. */
export default function CustomersScreen() {
  return (
    <div className={classes.screen}>
      <ScreenHead title={words.title} mb="sm">
        <Group gap="sm" mih={36}>
          <ImportButton />
          <NewCustomerButton />
        </Group>
      </ScreenHead>
      <Text mb="md" className={classes.text}>
        {words.text}
      </Text>
      <Customers />
      <DeletedCustomers />
    </div>
  );
}

function Customers() {
  const { wanted, ...search } = useSearch('/customers');
  const filters = useCustomerView();
  const { view, count } = filters;
  const { query, customers, last, isEarlier, isLooking } = useCustomers(view, wanted);
  const plans = usePlans(view.plan !== '');
  const list = useRef<HTMLUListElement>(null);
  const isWithout = wanted === '' && count === 0 && customers?.length === 0 && !isEarlier;
  const status = () => {
    if (isLooking) return <span className={classes.looking}>{filterWords.looking}</span>;
    if (wanted !== '') return words.found(customers!.length, last!.hasMore);
    return count === 0 ? words.count(last!.active) : filterWords.shown(customers!.length, last!.hasMore);
  };
  return (
    <>
      {isWithout ? (
        <NoCustomers />
      ) : (
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
          <QueryState query={query} h={132} />
          {customers?.length === 0 && !isLooking && count === 0 && <Text>{words.noneFound(wanted)}</Text>}
          {customers?.length === 0 && !isLooking && count > 0 && (
            <>
              <Text mb="sm">{filterWords.none(view, plans, wanted)}</Text>
              <Button variant="default" onClick={filters.clear}>
                {filterWords.clear}
              </Button>
            </>
          )}
        </>
      )}
      {/* Rendered even without customers: its dialog shows what was done with them, and offers the undo. */}
      {customers && (
        <CustomerList ref={list} customers={customers} view={view} hasMore={query.hasNextPage} isEarlier={isEarlier} />
      )}
      <MoreButton label={words.more} list={list} count={customers?.length ?? 0} query={query} />
    </>
  );
}

function NoCustomers() {
  return (
    <Empty icon={Users} title={words.empty} text={words.emptyText}>
      <Group gap="sm" justify="center">
        <NewCustomerButton />
        <ImportButton />
      </Group>
      <Anchor href="/api/docs" target="_blank">
        {words.reference}
      </Anchor>
    </Empty>
  );
}

function ImportButton() {
  const mayManage = useShowsButtons();
  if (!mayManage) return null;
  return (
    <Button component={Link} href="/customers/import" variant="default">
      {words.import}
    </Button>
  );
}

function NewCustomerButton() {
  const mayManage = useShowsButtons();
  if (!mayManage) return null;
  return (
    <Button component={Link} href="/customers/new">
      {words.add}
    </Button>
  );
}

/** Returns true if the buttons are shown. Most users have them, so they show until the user is known, and rarely disappear. */
function useShowsButtons(): boolean {
  const mayManage = useMay('manage_customers');
  return !useIsKnown() || mayManage;
}
