import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { Section } from '../../parts/section.tsx';
import { formatCalendarDate } from '../../times.ts';
import { words } from './action-words.ts';
import classes from './customer.module.css';
import { CustomerLink } from './customer-link.tsx';

/** Lists the deleted customers that can be restored. Renders nothing if there are none. */
export function DeletedCustomers() {
  // Not cached for the next visit: a customer that was restored meanwhile would show here until the response arrives.
  const { data } = useQuery({ queryKey: ['deleted customers'], queryFn: api.deletedCustomers, gcTime: 0 });
  if (!data || data.customers.length === 0) return null;
  return (
    <Box mt="xl">
      <Section title={words.deletedTitle}>
        <ul className={classes.list}>
          {data.customers.map(({ id, name, deletesAt }) => (
            <li key={id} className={classes.item}>
              <CustomerLink id={id} name={name} />
              <Text size="sm" c="dimmed">
                {words.goneOn(formatCalendarDate(deletesAt))}
              </Text>
            </li>
          ))}
        </ul>
      </Section>
    </Box>
  );
}
