import { OnceKnown } from '../../parts/once-known.tsx';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { strings } from '../../strings.ts';
import classes from './customer.module.css';
import { BackToCustomers } from './customer-link.tsx';
import { NewCustomerForm } from './new-customer-form.tsx';

/** Creates a customer. */
export default function NewCustomerScreen() {
  return (
    <div className={classes.screen}>
      <BackToCustomers />
      <ScreenTitle mb="md">{strings.customers.add}</ScreenTitle>
      <OnceKnown>
        <NewCustomerForm />
      </OnceKnown>
    </div>
  );
}
