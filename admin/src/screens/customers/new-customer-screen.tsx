import { Title } from '@mantine/core';
import { NotFound } from '../../parts/not-found.tsx';
import { OnceKnown } from '../../parts/once-known.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useIsKnown, useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './customer.module.css';
import { BackToCustomers } from './customer-link.tsx';
import { NewCustomerForm } from './new-customer-form.tsx';

/** Creates a customer. */
export default function NewCustomerScreen() {
  const isKnown = useIsKnown();
  const mayManage = useMay('manage_customers');
  useTitle(strings.customers.add);
  if (isKnown && !mayManage) return <NotFound {...strings.settings.notForRole} />;
  return (
    <div className={classes.screen}>
      <BackToCustomers />
      <Title order={1} mb="md">
        {strings.customers.add}
      </Title>
      <OnceKnown>
        <NewCustomerForm />
      </OnceKnown>
    </div>
  );
}
