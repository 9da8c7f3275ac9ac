import { Anchor, Badge, Checkbox, Group, Paper, Text } from '@mantine/core';
import type { Ref } from 'react';
import type { CustomerJson } from '../../contract.ts';
import lists from '../../parts/list.module.css';
import { type Selection, useSelection } from '../../parts/use-selection.ts';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { formatCalendarDate } from '../../times.ts';
import { CustomerLink } from './customer-link.tsx';
import type { CustomerView } from './customer-view.ts';
import classes from './customers.module.css';
import { ManyCustomers } from './many/many-customers.tsx';

const words = strings.customers;

interface CustomerListProps {
  readonly ref: Ref<HTMLUListElement>;
  readonly customers: readonly CustomerJson[];
  readonly view: CustomerView;
  /** True if the view has more customers than are shown. */
  readonly hasMore: boolean;
  /** True if the customers are those of the previous view, because this view is still loading. */
  readonly isEarlier: boolean;
}

/** Lists the customers, which users who may manage them can select. Renders nothing if there are none. */
export function CustomerList({ ref, customers, view, hasMore, isEarlier }: CustomerListProps) {
  const mayManage = useMay('manage_customers');
  const { selectionOf, ...selection } = useSelection(customers);
  return (
    <>
      {mayManage && <ManyCustomers {...selection} shown={customers.length} view={view} hasMore={hasMore} />}
      {customers.length > 0 && (
        <Paper className={isEarlier ? classes.earlier : undefined}>
          <ul ref={ref} className={lists.list} aria-label={words.title}>
            {customers.map((customer) => (
              <CustomerItem key={customer.id} {...customer} selection={mayManage ? selectionOf(customer) : undefined} />
            ))}
          </ul>
        </Paper>
      )}
    </>
  );
}

interface CustomerItemProps extends CustomerJson {
  readonly selection: Selection | undefined;
}

function CustomerItem({
  id,
  name,
  address,
  status,
  createdAt,
  plan,
  trialEndsOn,
  scheduled,
  selection,
}: CustomerItemProps) {
  return (
    <li className={classes.item} tabIndex={-1}>
      <div className={classes.name}>
        <Group gap="xs">
          {selection && <Checkbox aria-label={strings.trash.select(name)} {...selection} />}
          <CustomerLink id={id} name={name} />
          {status === 'suspended' && <Badge variant="default">{words.suspended}</Badge>}
        </Group>
        <Anchor href={address} target="_blank" size="sm">
          {address.replace(/^https?:\/\//, '')}
        </Anchor>
      </div>
      <div>
        <Text size="sm">{words.plan(plan)}</Text>
        {trialEndsOn && (
          <Text size="sm" c="dimmed">
            {words.trial(trialEndsOn)}
          </Text>
        )}
        {scheduled && (
          <Text size="sm" c={scheduled.failure === null ? 'dimmed' : 'var(--mantine-color-error)'}>
            {words.scheduled(scheduled)}
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {words.since(formatCalendarDate(createdAt))}
      </Text>
    </li>
  );
}
