import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useIsKnown, useMay, useSession } from '../session.ts';
import { strings } from '../strings.ts';

/** The way to the first customer for an account that has none: in the navigation, it would only be in the way of most. */
export function CustomersEntry() {
  const { hasCustomers } = useSession();
  const isKnown = useIsKnown();
  const maySee = useMay('view_customers');
  // Until it is known who asks, it is there for most: text that came later would be the largest.
  if (isKnown && (hasCustomers || !maySee)) return null;
  return (
    <Text size="sm" c="dimmed" mt="xl">
      {strings.customers.entryText}{' '}
      <Anchor component={Link} href="/overview">
        {strings.customers.entry}
      </Anchor>
    </Text>
  );
}
