import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useIsKnown, useMay, useSession } from '../session.ts';
import { strings } from '../strings.ts';

/**
 * A link to create the first customer, for accounts without any. In the navigation, it would be in the way of most accounts.
 */
export function CustomersEntry() {
  const { hasCustomers } = useSession();
  const isKnown = useIsKnown();
  const maySee = useMay('view_customers');
  // Shown while the user is unknown, since most users see it. Appearing later, it would delay the largest contentful paint.
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
