import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { CustomerDetailsJson } from '../../contract.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { Usage } from '../../parts/usage.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { strings } from '../../strings.ts';
import { formatCalendarDate, formatPlainDate } from '../../times.ts';
import classes from './customer.module.css';
import { CustomerActions } from './customer-actions.tsx';
import { BackToCustomers } from './customer-link.tsx';
import { CustomerLog } from './customer-log.tsx';
import { Domains, Mail, People, PlanHistory, Visits } from './customer-sections.tsx';
import { words } from './customer-words.ts';
import { LoginProgress } from './login-progress.tsx';
import { loginState, pollIntervalMs } from './login-state.ts';
import { Notes } from './notes.tsx';
import { ScheduledChange } from './scheduled-change.tsx';
import { SitePicture } from './site-picture.tsx';

const DAY_MS = 86_400_000;

/** Shows one customer of the account. */
export default function CustomerScreen({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['customer', id],
    queryFn: ({ signal }) => api.customer(id, signal),
    refetchInterval: ({ state: { data } }) => pollIntervalMs(data && loginState(data)),
  });
  useTitle(data?.name ?? strings.customers.title);
  return (
    <div className={classes.screen}>
      <BackToCustomers />
      <QueryState query={{ data, error, refetch }} h={132} />
      {data && <Customer customer={data} />}
    </div>
  );
}

function Customer({ customer }: { customer: CustomerDetailsJson }) {
  const { id, name, address, status, deletesAt, createdAt, history } = customer;
  const login = loginState(customer);
  // For older customers, the list of people is enough.
  const isNew = Date.now() - createdAt < 7 * DAY_MS;
  const planChange = history.find(({ kind }) => kind === 'created' || kind === 'moved');
  return (
    <Stack gap="lg">
      <div className={classes.head}>
        <div>
          <Group gap="sm">
            <Title order={1} dir="auto">
              {name}
            </Title>
            {status === 'suspended' && deletesAt === null && <Badge variant="default">{words.suspended}</Badge>}
          </Group>
          <Anchor href={address} target="_blank">
            {address.replace(/^https?:\/\//, '')}
          </Anchor>
          <Text mt="xs">{words.planSince(customer, planChange && formatCalendarDate(planChange.at))}</Text>
          {customer.trialEndsOn && <Text size="sm">{words.trial(formatPlainDate(customer.trialEndsOn))}</Text>}
          <Text size="sm" c="dimmed">
            {words.since(formatCalendarDate(createdAt))}
          </Text>
          {status === 'suspended' && <Text size="sm">{words.suspendedText}</Text>}
        </div>
        <SitePicture {...customer} />
      </div>
      <CustomerActions customer={customer} />
      {deletesAt === null && login && (login.stage !== 'signedIn' || isNew) && (
        <LoginProgress customerId={id} {...login} />
      )}
      {customer.scheduled && <ScheduledChange customer={customer} scheduled={customer.scheduled} />}
      <Usage usage={customer.limits} />
      <People {...customer} />
      <Notes customerId={id} />
      <Mail {...customer} />
      <Domains {...customer} />
      <PlanHistory {...customer} />
      <Visits {...customer} />
      <CustomerLog customerId={id} />
    </Stack>
  );
}
