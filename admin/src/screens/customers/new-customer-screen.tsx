import { Title } from '@mantine/core';
import { OnceKnown } from '../../parts/once-known.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { strings } from '../../strings.ts';
import classes from './customer.module.css';
import { BackToCustomers } from './customer-link.tsx';
import { NewCustomerForm } from './new-customer-form.tsx';

/** Creates a customer. */
export default function NewCustomerScreen() {
  useTitle(strings.customers.add);
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
